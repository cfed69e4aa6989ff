// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of another program
// Constants that name other constants of their module are read as the module would export them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { readConfig } from './read-config.ts'

describe('a constant may name those before it', () => {
  it.each([
    ['a value', "const KEY = 'a'", '{ key: KEY }', { key: 'a' }],
    ['a shorthand', 'const OPS = [1]', '{ OPS }', { OPS: [1] }],
    ['a spread list', "const OPS = ['a', 'b']", "{ enum: [...OPS, 'c'] }", { enum: ['a', 'b', 'c'] }],
    ['a spread object', 'const BASE = { a: 1, b: 2 }', '{ ...BASE, b: 3 }', { a: 1, b: 3 }],
    ['a spread that comes last', 'const BASE = { a: 1 }', '{ a: 2, ...BASE }', { a: 1 }],
    ['a computed key', "const KEY = 'a'", '{ [KEY]: 1, [`${KEY}b`]: 2 }', { a: 1, ab: 2 }],
    ['a template', "const A = 'x'; const B = 3", '`${A}-${B}-${null}-${true}-${-1.5}`', 'x-3-null-true--1.5'],
    ['a sum of texts', "const A = 'x'", "'a' + A + `b` + A", 'axbx'],
    ['a sign', 'const A = 5', '[-A, +A, - -A]', [-5, 5, 5]],
    ['a name of a name', 'const A = [1]; const B = A; const C = B', '{ c: C }', { c: [1] }],
    ['types', 'const A = ([1] as const) satisfies number[]', '{ a: (A as number[])! }', { a: [1] }],
    ['one declaration', 'const A = 1, B = [A, A]', 'B', [1, 1]],
    ['let and var that keep their value', 'let A = [1]; var B = 2', '[A, B]', [[1], 2]],
    ['an export', 'export const A = { b: 1 }', 'A', { b: 1 }],
    ['a value that a function changes later', 'const A = [1]; function f() { A.push(2) }', 'A', [1]],
    ['a value that is only asked', 'const A = [1]; const B = A.includes(1); f(A.length)', 'A', [1]],
    ['a key like a prototype', "const A = { ['__proto__']: 1 }", '{ ...A }', JSON.parse('{"__proto__": 1}')],
    [
      'an element of a list',
      "const L = ['x', { b: [1, 2] }]",
      "{ a: L[0], b: L[1].b[1], c: L['1']['b'] }",
      { a: 'x', b: 2, c: [1, 2] },
    ],
    [
      'what is frozen',
      "const A = Object.freeze(['x' as const] as const); const B = Object.freeze(A)",
      '{ a: B, ...Object.freeze({ b: Object.freeze(1) }) }',
      { a: ['x'], b: 1 },
    ],
    ['a spread of nothing', 'const A = {}, B = []', '{ ...A, b: [...B] }', { b: [] }],
  ])('%s', async (_, before, expression, expected) => {
    for (const text of [
      `${before}\nexport const CONFIG = ${expression}`,
      `${before.replace('export ', '')}\nexports.CONFIG = ${expression}`,
    ]) {
      const { config, told } = await readConfig(text)
      expect(told).toEqual([])
      expect(JSON.parse(JSON.stringify(config))).toEqual(expected)
    }
  })
})

it.each(['L[2]', 'L[-1]', 'L[0.5]', "L['00']", "L['']", 'L.length', 'L[L[0]]', 'L[1][0]', 'L?.[0]'])(
  '%s is no element that can be read',
  async expression => {
    const { config, told } = await readConfig(`const L = [0, 1]\nexport const CONFIG = ${expression}`)
    expect(config).toBeUndefined()
    expect(told).toEqual(['2:23 error: expected `CONFIG` to be a constant, got a member of an object'])
  },
)

it('an element that lacks a part passes that on', async () => {
  const source = 'const L = [{ a: f(), b: 1 }, { c: 2 }]\nexport const CONFIG = '
  expect(await readConfig(`${source}L[0]`)).toMatchObject({
    config: { b: 1 },
    told: [expect.stringContaining('CONFIG.a')],
  })
  expect(await readConfig(`${source}L[1]`)).toEqual({ config: { c: 2 }, told: [] })
})

describe('`Object.freeze` that might be another, or does not give what it was given', () => {
  it.each([
    ['const Object = { freeze: () => 2 }', 'Object.freeze(1)'],
    ["import { Object } from './mine.js'", 'Object.freeze(1)'],
    ['function Object() {}', 'Object.freeze(1)'],
    ['class Object { static freeze() {} }', 'Object.freeze(1)'],
    ['Object.freeze = () => 2', 'Object.freeze(1)'],
    ['({ a: Object.freeze } = { a: () => 2 })', 'Object.freeze(1)'],
    ['globalThis.Object = { freeze: () => 2 }', 'Object.freeze(1)'],
    ['Object.assign(Object, { freeze: () => 2 })', 'Object.freeze(1)'],
    ["Reflect.set(Object, 'freeze', () => 2)", 'Object.freeze(1)'],
    ['delete Object.freeze', 'Object.freeze(1)'],
    ["const freeze = 'is'", 'Object[freeze](1)'],
    ['', 'Object.freeze()'],
    ['', 'Object.freeze(...[1])'],
    ['', 'Object?.freeze(1)'],
    ['', 'new Object.freeze(1)'],
    ['', 'Mine.Object.freeze(1)'],
  ])('%s; %s', async (before, expression) => {
    const { config, told } = await readConfig(`${before}\nexport const CONFIG = ${expression}`)
    expect(config).toBeUndefined()
    expect(told).toEqual([expect.stringMatching(/expected `CONFIG` to be a constant, got a/)])
  })

  it('a value that changes all the same is none', async () => {
    const source = 'const A = { a: [1] }\nconst B = Object.freeze(A)\nB.a.push(2)\nexport const CONFIG = A'
    const { config, told } = await readConfig(source)
    expect(config).toBeUndefined()
    expect(told).toEqual([expect.stringContaining('got the name `A`, whose value changes')])
  })
})

describe('what cannot be read costs itself', () => {
  it.each([
    [
      'a call in an object',
      '{ a: f(), b: 1 }',
      { b: 1 },
      ['1:28 warning: expected `CONFIG.a` to be a constant, got a call'],
    ],
    [
      'an item of a list, the list',
      '{ a: [1, x, 3], b: 1 }',
      { b: 1 },
      ['1:32 warning: expected `CONFIG.a.1` to be a constant, got the name `x`'],
    ],
    [
      'a spread',
      '{ ...x, b: [...y], c: 1 }',
      { c: 1 },
      [
        '1:28 warning: expected `CONFIG` to be a constant, got the name `x`',
        '1:38 warning: expected `CONFIG.b` to be a constant, got the name `y`',
      ],
    ],
    [
      'a hole, the list',
      '[, 1]',
      undefined,
      ['1:23 error: expected `CONFIG.0` to be a constant, got a hole in a list'],
    ],
    [
      'a key',
      '{ [f()]: 1, b: 2 }',
      { b: 2 },
      ['1:26 warning: expected `CONFIG` to be a constant, got a call'],
    ],
    [
      'a key that is no text',
      '{ [null]: 1, b: 2 }',
      { b: 2 },
      ['1:26 warning: expected `CONFIG` to be a constant, got a computed key'],
    ],
    [
      'a function',
      '{ f() {}, get g() { return 1 }, b: 2 }',
      { b: 2 },
      [
        '1:25 warning: expected `CONFIG.f` to be a constant, got a function',
        '1:33 warning: expected `CONFIG.g` to be a constant, got a function',
      ],
    ],
    [
      'a part of a text',
      '{ a: `x${f()}`, b: "y" + f(), c: `${[1]}` }',
      {},
      [
        '1:32 warning: expected `CONFIG.a` to be a constant, got a call',
        '1:48 warning: expected `CONFIG.b` to be a constant, got a call',
        '1:59 warning: expected `CONFIG.c` to be a constant, got a value that is not text',
      ],
    ],
    [
      'an operation',
      '{ a: 1 + 2, b: !0, c: -"x", d: 1 }',
      { d: 1 },
      [
        '1:28 warning: expected `CONFIG.a` to be a constant, got an operation',
        '1:38 warning: expected `CONFIG.b` to be a constant, got an operation',
        '1:45 warning: expected `CONFIG.c` to be a constant, got an operation',
      ],
    ],
    [
      'a spread of another kind',
      '{ ..."ab", ...[1], a: [..."ab"], b: [...{}] }',
      {},
      [
        '1:25 warning: expected `CONFIG` to be a constant, got a spread of something that is not an object',
        '1:34 warning: expected `CONFIG` to be a constant, got a spread of something that is not an object',
        '1:46 warning: expected `CONFIG.a` to be a constant, got a spread of something that is not a list',
        '1:60 warning: expected `CONFIG.b` to be a constant, got a spread of something that is not a list',
      ],
    ],
    [
      'a member, also one that stood before it',
      '{ ...{ a: 1, b: 2 }, a: f(), c: 3, c() {}, d: 4, ...{ d: g() }, e: 5 }',
      { b: 2, e: 5 },
      [
        '1:47 warning: expected `CONFIG.a` to be a constant, got a call',
        '1:58 warning: expected `CONFIG.c` to be a constant, got a function',
        '1:80 warning: expected `CONFIG.d` to be a constant, got a call',
      ],
    ],
    [
      'a member, not one that comes after it',
      '{ a: f(), a: 1, b: f(), ...{ b: 2 } }',
      { a: 1, b: 2 },
      [
        '1:28 warning: expected `CONFIG.a` to be a constant, got a call',
        '1:42 warning: expected `CONFIG.b` to be a constant, got a call',
      ],
    ],
    ['the whole', 'f()', undefined, ['1:23 error: expected `CONFIG` to be a constant, got a call']],
  ])('%s', async (_, expression, expected, told) => {
    const found = await readConfig(`export const CONFIG = ${expression}`)
    expect(found.told).toEqual(told)
    expect(found.config && JSON.parse(JSON.stringify(found.config))).toEqual(expected)
  })

  it('in a named constant it is told where it stands', async () => {
    const { config, told } = await readConfig(
      'const A = { b: f(), c: 1 }\nexport const CONFIG = { a: [A], ...A }',
    )
    expect(config).toEqual({ a: [{ c: 1 }], c: 1 })
    expect(told).toEqual([
      '1:16 warning: expected `CONFIG.a.0.b` to be a constant, got a call',
      '1:16 warning: expected `CONFIG.b` to be a constant, got a call',
    ])
  })

  it('a named constant hides members by those of its own that cannot be read', async () => {
    const { config } = await readConfig(
      'const A = { b: f(), c: 1 }\nconst B = { ...A }\nexport const CONFIG = { b: 1, c: 2, d: 3, ...B }',
    )
    expect(config).toEqual({ c: 1, d: 3 })
  })

  it('of a constant that is no field nothing is kept, and nothing is told', async () => {
    const { metadata, diagnostics } = await parseBytes(
      'javascript/javascript',
      new TextEncoder().encode('export const TABLE = { a: 1, b: f() }\nexport const WHOLE = { a: 1 }'),
      '.mjs',
    )
    expect(metadata).toMatchObject({ WHOLE: { a: 1 } })
    expect(metadata.TABLE).toBeUndefined()
    expect(diagnostics).toEqual([])
  })
})

it('a number that is kept as text here is none there', async () => {
  const { config, told } = await readConfig(
    'const A = 9007199254740993\nexport const CONFIG = { a: A, b: `${A}`, c: "a" + A, d: -A }',
  )
  expect(config).toEqual({ a: '9007199254740993' })
  expect(told.map(message => message.split(': ')[0])).toEqual([
    '2:37 warning',
    '2:45 warning',
    '2:57 warning',
    '1:11 warning',
  ])
})

describe('against the engine', () => {
  type Choose = (most: number) => number

  /** A module of constants that name each other, and of statements that may change them. */
  function printModule(choose: Choose): string {
    const names: string[] = []
    const name = () => names[choose(names.length)] ?? '0'
    const value = (depth: number): string => {
      const pick = choose(depth > 2 ? 6 : 12)
      if (pick < 2) return ['1', '-2.5', "'a'", 'true', 'null', '`b`'][choose(6)]!
      if (pick < 5) return name()
      if (pick === 5) return `\`x\${${name()}}\``
      if (pick === 6) return `${name()} + ${name()}`
      if (pick === 7) return `Object.freeze(${value(depth + 1)})`
      if (pick === 8) return `${name()}[${choose(3)}]`
      if (pick < 10) return `[${list(() => (choose(3) === 0 ? `...${name()}` : value(depth + 1)))}]`
      return `{${list(() => member(depth))}}`
    }
    const member = (depth: number) => {
      if (choose(4) === 0) return `...${name()}`
      const key = ['a', 'b', "'c d'", '0', `[${name()}]`][choose(5)]
      return `${key}: ${value(depth + 1)}`
    }
    const list = (print: () => string) => Array.from({ length: choose(4) }, print).join(', ')
    const statement = () => {
      const [target, other] = [name(), name()]
      const changes = [
        `${target}.a = 7`,
        `${target}.push(8)`,
        `Object.assign(${target}, { z: ${other} })`,
        `for (const x of [${target}]) x.b = 9`,
        `[${target}][0] === ${other}`,
        `{ const y = { t: ${target} }; y.t.b = 5 }`,
        `(function (p) { p.a = 6 })(${target})`,
        `let o; o = ${target}; o.a = 4`,
        `[${target}, ${other}].forEach(p => { p.a = 3 })`,
        `class K { static k = ${target}.push?.(2) }`,
        `{ let ${target} = ${value(2)}; ${target}.a = 1 }`,
        `for (const ${target} of [${value(2)}]) ${target}.b = 1`,
        `(function (${target}) { ${target}.a = ${other} })(${value(2)})`,
        `(({ a: ${target} }) => { ${target}.b = 1 })(${other})`,
      ]
      // The printed module goes on after a change that its value refuses, as what is frozen does.
      return `try { ${changes[choose(changes.length)]} } catch {}`
    }
    const lines = Array.from({ length: 1 + choose(8) }, (_, index) => {
      if (index > 1 && choose(6) === 0) return statement()
      const line = `const c${index} = ${value(0)}`
      names.push(`c${index}`)
      return line
    })
    return `${lines.join('\n')}\nconst CONFIG = ${value(0)}\n${choose(3) === 0 ? statement() : ''}`
  }

  /** Undefined when the module cannot be loaded. */
  function evaluate(source: string): unknown {
    try {
      return new Function(`'use strict';\n${source};\nreturn CONFIG`)()
    } catch {
      return undefined
    }
  }

  it('whatever is read without a word is what the module would export', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async choices => {
        const source = printModule(most => choices.next().value! % Math.max(1, most))
        const { config, told } = await readConfig(`${source}\nexport { CONFIG }`, '.mjs')
        const evaluated = evaluate(source)
        if (told.length > 0 || evaluated === undefined) return
        compared++
        expect(JSON.parse(JSON.stringify(config))).toEqual(JSON.parse(JSON.stringify(evaluated)))
      }),
      { numRuns: 700 },
    )
    expect(compared).toBeGreaterThan(100)
  })
})
