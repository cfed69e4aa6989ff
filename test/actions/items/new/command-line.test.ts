import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../../src/actions/items/new/command-line.ts'
import { readParameter } from '../../../../src/actions/items/new/parameters.ts'

const read = (text: string) => readCommandLine(text)
const required = (name: string, type = 'string') => ({ name, type, required: true })

describe('a command line', () => {
  it.each([
    ['git log', { command: 'git', args: ['log'], parameters: [] }],
    ['./deploy.sh now', { command: '{project_path}/deploy.sh', args: ['now'], parameters: [] }],
    [
      '{project_path}/bin/run {project_path}/a.json {project_path}',
      {
        command: '{project_path}/bin/run',
        args: ['{project_path}/a.json', '{project_path}'],
        parameters: [],
      },
    ],
    ['/bin/ls', { command: '/bin/ls', args: [], parameters: [] }],
    [
      'git log -n {n:integer} --oneline',
      { command: 'git', args: ['log', '-n', '{n}', '--oneline'], parameters: [required('n', 'integer')] },
    ],
    [
      'wc --{unit} -- {path?}',
      {
        command: 'wc',
        args: ['--{unit}', '--', '{path}'],
        parameters: [required('unit'), { name: 'path', type: 'string', required: false }],
      },
    ],
    [
      'head --lines={n:integer=5} {files:array}',
      {
        command: 'head',
        args: ['--lines={n}', '{files}'],
        parameters: [{ name: 'n', type: 'integer', required: false, default: 5 }, required('files', 'array')],
      },
    ],
    [
      `jq '.a | .b' "two words" '' it\\'s`,
      { command: 'jq', args: ['.a | .b', 'two words', '', "it's"], parameters: [] },
    ],
    ['cp {a} {a}', { command: 'cp', args: ['{a}', '{a}'], parameters: [required('a')] }],
    [
      `awk '{ print $1 }' {file}`,
      { command: 'awk', args: ['{ print $1 }', '{file}'], parameters: [required('file')] },
    ],
    [
      `x '{a-b}' '{' \\{ \\} {} ''{}x`,
      { command: 'x', args: ['{a-b}', '{', '{', '}', '{}', '{}x'], parameters: [] },
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ['', 'empty'],
    ['{program} x', 'the program itself'],
    ['cat x | sort', 'for a shell'],
    ['echo $HOME', 'for a shell'],
    ['echo "$HOME"', 'for a shell'],
    ['ls *.txt', 'for a shell'],
    ['a; b', 'for a shell'],
    ['a > b', 'for a shell'],
    ["echo 'x", 'has no end'],
    ['x {a-b}', 'expected a parameter such as `{name}` or `{name:integer=5}`, got `{a-b}`'],
    ['x {', 'got `{`'],
    ['x }', 'got `}`'],
    ['x a{b,c}', 'got `{b,c}`'],
    ['x {a b}', 'got `{a`'],
    ['x {1}', 'got `{1}`'],
    ['TZ=UTC date {format}', 'expected a program, got `TZ=UTC`'],
    ['git log -n {n?}', '`-n` would be left without'],
    ['git log --max={n?}', 'part of an argument'],
    ['x a{b:array}', 'an argument of its own'],
    ['x {n:whole}', 'expected the type of `n`'],
    ['x {n:integer=many}', 'the default of `n` is not of type integer'],
    ['x {n:integer} {n}', 'described twice'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('tells how an option without a value stays alone', () => {
    expect(() => read('ls -la {path?}')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('`-la -- {path?}`') }),
    )
    expect(read('ls -la -- {path?}').args).toEqual(['-la', '--', '{path}'])
  })

  it('has quoted words as they are, whatever is in them', () => {
    const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', '$', '|', '*', '\\', '`', '{', '}', ';') })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), words => {
        const plain = words.filter(text => !/\{a/.test(text))
        const line = ['x', ...plain.map(text => `'${text}'`)].join(' ')
        expect(read(line).args).toEqual(plain)
      }),
    )
  })
})

it.each([
  ['who', required('who')],
  ['n?:integer', { name: 'n', type: 'integer', required: false }],
  ['loud:boolean=false', { name: 'loud', type: 'boolean', required: false, default: false }],
  ['text:string=', { name: 'text', type: 'string', required: false, default: '' }],
])('the parameter %s', (text, expected) => {
  expect(readParameter(text)).toEqual(expected)
})

it.each(['', '1x', 'a b', 'a-b', 'a:', '__proto__', 'a:list', 'n:number=', 'b:boolean=yes', 'x:array=1'])(
  'is no parameter: %j',
  text => {
    expect(() => readParameter(text)).toThrow()
  },
)

it('a place in the project is no parameter as the program, and nothing else of it is', () => {
  for (const text of ['{project_path}', '{project_path}/{name}', '{name}/run', '{project_path:string}/run'])
    expect(() => readCommandLine(text)).toThrow('the program itself cannot be a parameter')
})
