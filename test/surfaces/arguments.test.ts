import { describe, expect, it } from 'vitest'
import type { Fields } from '../../src/actions/definition/field-spec.ts'
import { namedProject, readArguments } from '../../src/surfaces/cli/arguments.ts'

const fields = {
  query: { type: 'string', about: '', required: true, flag: { position: 'rest' } },
  limit: { type: 'integer', about: '' },
  item_type: { type: 'string', about: '', flag: { name: 'type' } },
  dry_run: { type: 'boolean', about: '' },
  tags: { type: 'strings', about: '', flag: { name: 'tag' } },
  filters: { type: 'object', about: '', flag: { name: 'filter', form: 'conditions' } },
  values: { type: 'object', about: '', flag: { name: 'param', form: 'pairs' } },
  parameters: { type: 'object', about: '', flag: { name: 'params', form: 'json' } },
  secret: { type: 'string', about: '', flag: { hidden: true } },
} as const satisfies Fields

describe('the words of a command', () => {
  it.each([
    [['how', 'do', 'I', 'deploy'], { query: 'how do I deploy' }],
    [['x', '--limit', '5'], { query: 'x', limit: 5 }],
    [['x', '--limit=5'], { query: 'x', limit: 5 }],
    [['x', '--limit', '-1'], { query: 'x', limit: -1 }],
    [['--type', 'tool', 'x'], { query: 'x', item_type: 'tool' }],
    [['x', '--dry-run'], { query: 'x', dry_run: true }],
    [['x', '--tag', 'a', '--tag', 'b'], { query: 'x', tags: ['a', 'b'] }],
    [
      ['x', '--filter', 'version=>=1.0.0', '--filter', 'a=b'],
      { query: 'x', filters: { version: '>=1.0.0', a: 'b' } },
    ],
    [
      ['x', '--filter', 'v=>=1', '--filter', 'v=<2', '--filter', 'a=b', '--filter=v=!1.5'],
      { query: 'x', filters: { v: { all: ['>=1', '<2', '!1.5'] }, a: 'b' } },
    ],
    [
      ['x', '--filter', '__proto__=a', '--filter', '__proto__=b', '--filter', 'toString=c'],
      { query: 'x', filters: JSON.parse('{"__proto__": {"all": ["a", "b"]}, "toString": "c"}') },
    ],
    [['x', '--param', 'a=1', '--param', 'b=2'], { query: 'x', values: { a: '1', b: '2' } }],
    [['x', '--params', '{"a": [1]}'], { query: 'x', parameters: { a: [1] } }],
    [['x', '--params', '-'], { query: 'x', parameters: '-' }],
    [['--', '--limit'], { query: '--limit' }],
  ])('%j', (words, input) => {
    expect(readArguments(fields, words).input).toEqual(input)
  })

  it('takes no word of a command line for the name before it', () => {
    const named = {
      name: { type: 'string', about: '', flag: { position: 'first' } },
      command: { type: 'strings', about: '', flag: { position: 'rest' } },
    } as const satisfies Fields
    const read = (...words: string[]) => readArguments(named, words).input
    expect(read('a', '--', 'npx', '-y', 'b')).toEqual({ name: 'a', command: ['npx', '-y', 'b'] })
    expect(read('a', 'npx', 'b')).toEqual({ name: 'a', command: ['npx', 'b'] })
    expect(read('--', 'npx', '-y', 'b')).toEqual({ command: ['npx', '-y', 'b'] })
  })

  it('keeps the flags that every command has apart', () => {
    const read = readArguments(fields, ['x', '--json', '--project', '/p', '-h'])
    expect([...read.globals].sort()).toEqual(['help', 'json'])
    expect(read.project).toBe('/p')
  })

  it.each([
    [['x', '--limti', '5'], 'unknown flag `--limti`; did you mean `--limit`?'],
    [['x', '--secret', '5'], 'unknown flag `--secret`'],
    [['x', '--limit'], '`--limit` expects a value'],
    [['x', '--json=3'], '`--json` takes no value, got `3`'],
    [['x', '--limit', 'ten'], '`--limit` expects a number, got `ten`'],
    [['x', '--filter', 'nothing'], '`--filter` expects NAME=VALUE, got `nothing`'],
    [['x', '--limit', '5', '--limit=6'], '`--limit` was given twice; it takes one value'],
    [['x', '--param', 'a=1', '--param=a='], '`--param a=` was given twice; it takes one value'],
    [['x', '--project', ''], '`--project` expects a value, got an empty text'],
    [['x', '--type='], '`--type` expects a value, got an empty text'],
    [['x', '--dry-run=maybe'], '`--dry-run` expects true or false, got `maybe`'],
  ])('%j is refused', (words, message) => {
    expect(() => readArguments(fields, words)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message }),
    )
  })

  it.each([
    [['x', '--project', 'a b'], 'a b'],
    [['x', '--project=a=b'], 'a=b'],
    [['x'], undefined],
    [['x', '--', 'serve', '--project', 'y'], undefined],
    [['--project', 'x', '--', 'serve', '--project=y'], 'x'],
  ])('%j names the project %j', (words, project) => {
    expect(namedProject(fields, words)).toBe(project)
    const own = { project: { type: 'strings', about: '' } } as const
    expect(namedProject(own, words)).toBe(undefined)
  })

  it('says how a parameter is given', () => {
    const one = {
      id: { type: 'string', about: '', flag: { position: 'first' } },
      values: fields.values,
    } as const
    expect(() => readArguments(one, ['x', 'who=Ada'])).toThrow(
      'unexpected `who=Ada`; did you mean `--param who=Ada`?',
    )
    expect(() => readArguments(one, ['x', 'y'])).toThrow(/unexpected `y`$/)
  })

  it('says what is wrong with JSON', () => {
    expect(() => readArguments(fields, ['--params', 'no\njson'])).toThrow(/expects JSON: [^\n]+$/)
    expect(() => readArguments(fields, ['--params', '{'])).toThrow(/`--params` expects JSON/)
  })
})
