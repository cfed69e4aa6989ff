// Constants that name other constants of their module are read as the module would bind them.
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

async function read(source: string) {
  const [whole, outline] = await Promise.all(
    [false, true].map(outline =>
      parseBytes('python/ast', new TextEncoder().encode(source), '.py', { outline }),
    ),
  )
  expect(outline, 'the outline says the same').toEqual(whole)
  const told = whole!.diagnostics.map(
    ({ severity, message, line, column }) => `${line}:${column} ${severity}: ${message}`,
  )
  return { config: whole!.metadata.config, told }
}

describe('a constant may name those before it', () => {
  it.each([
    ['a value', 'KEY = "a"', '{"key": KEY, KEY: 1}', { key: 'a', a: 1 }],
    ['an unpacked list', 'OPS = ("a", "b")', '{"enum": [*OPS, "c"]}', { enum: ['a', 'b', 'c'] }],
    ['an unpacked dict', 'BASE = {"a": 1, "b": 2}', '{**BASE, "b": 3}', { a: 1, b: 3 }],
    ['an unpacked dict that comes last', 'BASE = {"a": 1}', '{"a": 2, **BASE}', { a: 1 }],
    ['a set', 'A = [1, 2]', '{*A, 2, 3}', [1, 2, 3]],
    ['a formatted string', 'A = "x"', 'f"{A}-{A} {{}}"', 'x-x {}'],
    ['a sum of texts', 'A = "x"', '"a" + A + \'b\'', 'axb'],
    ['a sign', 'A = 5', '[-A, +A]', [-5, 5]],
    ['a name of a name', 'A = [1]\nB = A\nC: list = B', '{"c": C}', { c: [1] }],
    ['the last binding', 'A = 1\nA = 2', 'A', 2],
    ['two names at once', 'A = B = [1]', '[A, B]', [[1], [1]]],
    ['a value that a function changes later', 'A = [1]\ndef f():\n  A.append(2)', 'A', [1]],
    ['a value that is only asked', 'A = [1]\nif 1 in A:\n  B = len(A)', 'A', [1]],
    ['a key like a prototype', 'A = {"__proto__": 1}', '{**A}', JSON.parse('{"__proto__": 1}')],
    ['a value set after a star import', 'from x import *\nA = 1', 'A', 1],
  ])('%s', async (_, before, expression, expected) => {
    const { config, told } = await read(`${before}\nCONFIG = ${expression}\n`)
    expect(told).toEqual([])
    expect(JSON.parse(JSON.stringify(config))).toEqual(expected)
  })
})

describe('what cannot be read costs itself', () => {
  it.each([
    [
      'a call in a dict',
      '{"a": f(), "b": 1}',
      { b: 1 },
      ['1:16 warning: expected `CONFIG.a` to be a constant, got a call'],
    ],
    [
      'an item of a list, the list',
      '{"a": [1, x, 3], "b": 1}',
      { b: 1 },
      ['1:20 warning: expected `CONFIG.a.1` to be a constant, got the name `x`'],
    ],
    [
      'an unpacking',
      '{**x, "b": [*y], "c": {*z}, "d": 1}',
      { d: 1 },
      [
        '1:13 warning: expected `CONFIG` to be a constant, got the name `x`',
        '1:23 warning: expected `CONFIG.b` to be a constant, got the name `y`',
        '1:34 warning: expected `CONFIG.c` to be a constant, got the name `z`',
      ],
    ],
    [
      'an unpacking of another kind',
      '{**[], "b": [*{}], "c": [*"ab"]}',
      {},
      [
        '1:13 warning: expected `CONFIG` to be a constant, got a spread of something that is not an object',
        '1:23 warning: expected `CONFIG.b` to be a constant, got a spread of something that is not a list',
        '1:35 warning: expected `CONFIG.c` to be a constant, got a spread of something that is not a list',
      ],
    ],
    ['a key', '{f(): 1, "b": 2}', { b: 2 }, ['1:11 warning: expected `CONFIG` to be a constant, got a call']],
    [
      'a member, also one that stood before it',
      '{"a": 1, "b": 2, "a": f(), **{"b": f(), "c": 3}}',
      { c: 3 },
      [
        '1:32 warning: expected `CONFIG.a` to be a constant, got a call',
        '1:45 warning: expected `CONFIG.b` to be a constant, got a call',
      ],
    ],
    ['the whole', 'f()', undefined, ['1:10 error: expected `CONFIG` to be a constant, got a call']],
  ])('%s', async (_, expression, expected, told) => {
    const found = await read(`CONFIG = ${expression}\n`)
    expect(found.told).toEqual(told)
    expect(found.config && JSON.parse(JSON.stringify(found.config))).toEqual(expected)
  })

  it('in a named constant it is told where it stands', async () => {
    const { config, told } = await read('A = {"b": f(), "c": 1}\nCONFIG = {"a": [A], **A}\n')
    expect(config).toEqual({ a: [{ c: 1 }], c: 1 })
    expect(told).toEqual([
      '1:11 warning: expected `CONFIG.a.0.b` to be a constant, got a call',
      '1:11 warning: expected `CONFIG.b` to be a constant, got a call',
    ])
  })

  it('a number as a key by name is left out: it may have been a fraction', async () => {
    const { config, told } = await read('A = 1\nB = 9007199254740993\nCONFIG = {A: 1, B: 2, "c": 3}\n')
    expect(config).toEqual({ c: 3 })
    expect(told.slice(0, 2)).toEqual([
      '3:11 warning: expected `CONFIG` to be a constant, got a key that is not a string',
      '3:17 warning: expected `CONFIG` to be a constant, got a key that is not a string',
    ])
  })
})

describe('a name that is no constant', () => {
  const CHANGES = 'the name `A`, whose value changes'
  it.each([
    ['bound further down', '', 'A = [1]', 'the name `A`'],
    ['imported', 'from x import A', '', 'the name `A`'],
    ['perhaps imported', 'A = 1\nfrom x import *', '', 'the name `A`'],
    ['unpacked', 'A, B = 1, 2', '', 'the name `A`'],
    ['deleted', 'A = 1\ndel A', '', 'the name `A`'],
    ['defined', 'A = 1\ndef A(): pass', '', 'the name `A`'],
    ['counted up', 'A = 1\nA += 1', '', 'the name `A`'],
    ['bound in a block', 'A = 1\nif f():\n  A = 2', '', 'the name `A`'],
    ['bound in another clause', 'A = 1\ntry:\n  f()\nexcept E as A:\n  pass', '', 'the name `A`'],
    ['imported in a block', 'A = 1\ntry:\n  import A\nfinally:\n  pass', '', 'the name `A`'],
    ['bound by a loop', 'A = 1\nfor A in x:\n  pass', '', 'the name `A`'],
    ['bound by a context', 'A = 1\nwith f() as A:\n  pass', '', 'the name `A`'],
    ['bound in passing', 'A = 1\nif (A := 2):\n  pass', '', 'the name `A`'],
    ['captured', 'A = 1\nmatch x:\n  case [A, *_]:\n    pass', '', 'the name `A`'],
    ['changed in part', 'A = {"b": 1}', 'A["b"] = 2', CHANGES],
    ['changed deep inside', 'A = {"b": [1]}', 'A["b"][0] = 2', CHANGES],
    ['deleted in part', 'A = {"b": 1}', 'del A["b"]', CHANGES],
    ['appended to', 'A = [1]', 'A.append(2)', CHANGES],
    ['added to', 'A = [1]', 'A += [2]', CHANGES],
    ['changed in a block', 'A = {"b": [1]}', 'if f():\n  A["b"].append(2)', CHANGES],
    ['changed by way of another name', 'A = [1]', 'B = {"a": A}\nB["a"].append(2)', CHANGES],
    ['changed by way of a loop', 'A = [1]', 'for one in [A]:\n  one.append(2)', CHANGES],
    ['changed by way of a context', 'A = [1]', 'with f(A) as one:\n  one.append(2)', CHANGES],
    ['changed in passing', 'A = [1]', 'x = f(A.pop())', CHANGES],
  ])('%s', async (_, before, after, reason) => {
    const line = before.split('\n').length + 1
    const { config, told } = await read(`${before}\nCONFIG = {"a": A, "c": 1}\n${after}\n`)
    expect(told).toEqual([`${line}:16 warning: expected \`CONFIG.a\` to be a constant, got ${reason}`])
    expect(config).toEqual({ c: 1 })
  })

  it.each([
    ['in part', 'CONFIG["a"] = 2'],
    ['by a method', 'CONFIG.update(a=2)'],
    ['in a block', 'if f():\n  CONFIG = {}'],
  ])('a field that changes %s is none either', async (_, change) => {
    const { config, told } = await read(`CONFIG = {"a": 1}\n${change}\n`)
    expect(config).toBeUndefined()
    expect(told).toEqual(['2:1 error: expected `CONFIG` to be a constant, got a change'])
  })
})

describe('what names repeat is bounded', () => {
  it.each([
    ['lists', '[1]', (name: string) => `[*${name}, *${name}]`],
    ['dicts', '{"a": 1}', (name: string) => `{"b": [*[${name}, ${name}]], **${name}}`],
    ['texts', '"a"', (name: string) => `${name} + ${name}`],
    ['formatted texts', '"a"', (name: string) => `f"{${name}}{${name}}"`],
    ['references', '[1]', (name: string) => `[${name}, ${name}]`],
    ['problems', '[f(), f()]', (name: string) => `[${name}, ${name}]`],
  ])('%s', async (_, first, next) => {
    const lines = Array.from({ length: 1_000 }, (_, level) => `a${level + 1} = ${next(`a${level}`)}\n`)
    const { config, told } = await read(`a0 = ${first}\n${lines.join('')}CONFIG = {"a": a1000, "b": 1}\n`)
    expect(config === undefined || JSON.stringify(config).length < 3_000_000).toBe(true)
    expect(told.length).toBeLessThanOrEqual(101)
  })

  it('is told where too much is asked for', async () => {
    const lines = Array.from({ length: 30 }, () => 'a = [*a, *a]\n')
    const { told } = await read(`a = [1]\n${lines.join('')}CONFIG = {"b": a}\n`)
    expect(told).toEqual([
      '15:6 warning: expected `CONFIG.b` to be a constant, got more data than is read from one file',
    ])
  })
})
