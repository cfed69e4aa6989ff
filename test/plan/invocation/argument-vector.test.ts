// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import { describe, expect, test } from 'vitest'
import { expandArguments, expandFixed } from '../../../src/plan/invocation/argument-vector.ts'
import { scopeOf } from '../template-scope.ts'

describe('an argument vector', () => {
  test('holds one argument for each entry, whatever is in it', () => {
    const scope = scopeOf({ name: 'a b; rm -rf / $(x) "\'', n: -5 })
    expect(
      expandArguments(['run', '{name}', '--x={name}', '{n}', 7 as unknown as string].map(String), scope),
    ).toEqual(['run', 'a b; rm -rf / $(x) "\'', '--x=a b; rm -rf / $(x) "\'', '-5', '7'])
  })

  test('spreads a list and leaves out what is absent', () => {
    expect(expandArguments(['{files}', '{gone}', 'end'], scopeOf({ files: ['a', 'b'] }, ['gone']))).toEqual([
      'a',
      'b',
      'end',
    ])
  })

  test.each(['-x', '--output=/etc/passwd', '-'])(
    'refuses `%s` from a caller where an option could stand',
    value => {
      expect(() => expandArguments(['log', '{ref}'], scopeOf({ ref: value }))).toThrow(
        'would be read as an option',
      )
      expect(() => expandArguments(['log', '{refs}'], scopeOf({ refs: ['a', value] }))).toThrow(
        'would be read as an option',
      )
      expect(() => expandArguments(['log', '{empty}{ref}'], scopeOf({ ref: value, empty: '' }))).toThrow(
        'option',
      )
    },
  )

  test('takes an option of the configuration after a parameter that is empty', () => {
    const scope = scopeOf({ empty: '' }, ['gone'])
    expect(expandArguments(['{empty}--all', '{gone}-v', '{empty}{gone}-x'], scope)).toEqual([
      '--all',
      '-v',
      '-x',
    ])
    expect(() =>
      expandArguments(['{gone}{empty}{ref}'], scopeOf({ empty: '', ref: '-x' }, ['gone'])),
    ).toThrow('would be read as an option')
  })

  test('takes it after `--` and inside `--name=`', () => {
    const scope = scopeOf({ ref: '-x' })
    expect(expandArguments(['log', '--', '{ref}'], scope)).toEqual(['log', '--', '-x'])
    expect(expandArguments(['log', '--ref={ref}'], scope)).toEqual(['log', '--ref=-x'])
  })

  test('a caller’s own `--` does not allow options after it', () => {
    expect(() => expandArguments(['{a}', '{b}'], scopeOf({ a: '--', b: '-x' }))).toThrow(
      'would be read as an option',
    )
  })

  test.each([
    ['\0', 'NUL'],
    ['x'.repeat(100_000), 'longer than'],
  ])('refuses what no process can take', (value, reason) => {
    expect(() => expandArguments(['{a}'], scopeOf({ a: value }))).toThrow(reason)
  })

  test('a parameter never decides which program runs', () => {
    expect(expandFixed('${HOME}/bin/x', 'command', scopeOf({}))).toBe('/home/ada/bin/x')
    expect(() => expandFixed('{command}', 'command', scopeOf({ command: '/bin/sh' }))).toThrow(
      'it cannot be decided by a parameter',
    )
  })
})
