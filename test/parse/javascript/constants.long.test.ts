// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of another program
// Constants that name other constants of their module: what is read is what the module would export.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

async function read(source: string, extension = '.ts') {
  const { metadata, diagnostics } = await parseBytes(
    'javascript/javascript',
    new TextEncoder().encode(source),
    extension,
  )
  const told = diagnostics.map(
    ({ severity, message, line, column }) => `${line}:${column} ${severity}: ${message}`,
  )
  return { config: metadata.config, told }
}

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
    ['a spread of nothing', 'const A = {}, B = []', '{ ...A, b: [...B] }', { b: [] }],
  ])('%s', async (_, before, expression, expected) => {
    for (const text of [
      `${before}\nexport const CONFIG = ${expression}`,
      `${before.replace('export ', '')}\nexports.CONFIG = ${expression}`,
    ]) {
      const { config, told } = await read(text)
      expect(told).toEqual([])
      expect(JSON.parse(JSON.stringify(config))).toEqual(expected)
    }
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
        '1:59 warning: expected `CONFIG.c` to be a constant, got a value that is no text',
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
        '1:25 warning: expected `CONFIG` to be a constant, got a spread of something that is no object',
        '1:34 warning: expected `CONFIG` to be a constant, got a spread of something that is no object',
        '1:46 warning: expected `CONFIG.a` to be a constant, got a spread of something that is no list',
        '1:60 warning: expected `CONFIG.b` to be a constant, got a spread of something that is no list',
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
    const found = await read(`export const CONFIG = ${expression}`)
    expect(found.told).toEqual(told)
    expect(found.config && JSON.parse(JSON.stringify(found.config))).toEqual(expected)
  })

  it('in a named constant it is told where it stands', async () => {
    const { config, told } = await read('const A = { b: f(), c: 1 }\nexport const CONFIG = { a: [A], ...A }')
    expect(config).toEqual({ a: [{ c: 1 }], c: 1 })
    expect(told).toEqual([
      '1:16 warning: expected `CONFIG.a.0.b` to be a constant, got a call',
      '1:16 warning: expected `CONFIG.b` to be a constant, got a call',
    ])
  })

  it('a named constant hides members by those of its own that cannot be read', async () => {
    const { config } = await read(
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

describe('a name that is no constant', () => {
  it.each([
    ['set further down', '', 'const A = [1]', 'the name `A` before it is set'],
    ['itself', '', '', 'the name `CONFIG` before it is set'],
    ['not in this file', "import { A } from './a.js'", '', 'the name `A`'],
    ['of a pattern', 'const { A } = { A: 1 }', '', 'the name `A`'],
    ['of a function', 'function A() {}', '', 'the name `A`'],
    ['of something that runs', 'const A = f()', '', 'the name `A`'],
    ['assigned again', 'let A = 1', 'A = 2', 'the name `A`, whose value changes'],
    ['counted up', 'let A = 1', 'A++', 'the name `A`, whose value changes'],
    ['declared twice', 'var A = 1; var A = 2', '', 'the name `A`, whose value changes'],
    ['set in a block', 'var A = 1; if (f()) { var A = 2 }', '', 'the name `A`, whose value changes'],
    ['changed in part', 'const A = { b: 1 }', 'A.b = 2', 'the name `A`, whose value changes'],
    ['changed deep inside', 'const A = { b: { c: 1 } }', "A.b['c'] = 2", 'the name `A`, whose value changes'],
    [
      'changed by a pattern',
      'const A = [1]',
      '[A[0]] = [2]; ({ b: A[1], ...A[2] } = {})',
      'the name `A`, whose value changes',
    ],
    ['deleted in part', 'const A = { b: 1 }', 'delete A.b', 'the name `A`, whose value changes'],
    ['appended to', 'const A = [1]', 'A.push(2)', 'the name `A`, whose value changes'],
    [
      'assigned to by `Object`',
      'const A = { b: 1 }',
      'Object.assign(A, { b: 2 })',
      'the name `A`, whose value changes',
    ],
    ['changed by a loop', 'const A = { b: 1 }', 'for (A.b of [1, 2]);', 'the name `A`, whose value changes'],
    [
      'changed by a function that is called on the spot',
      'const A = [1]',
      '(() => { A.push(2) })()',
      'the name `A`, whose value changes',
    ],
    [
      'changed under another name',
      'const A = { b: 1 }',
      'const B = A; B.b = 2',
      'the name `A`, whose value changes',
    ],
    [
      'changed by way of a loop',
      'const A = { b: 1 }',
      'for (const one of [A]) one.b = 2',
      'the name `A`, whose value changes',
    ],
    [
      'changed by way of a parameter',
      'const A = { b: 1 }',
      '(function (one) { one.b = 2 })(A)',
      'the name `A`, whose value changes',
    ],
    [
      'changed by way of a variable',
      'const A = { b: 1 }',
      'let one; one = A; one.b = 2',
      'the name `A`, whose value changes',
    ],
    [
      'changed as a part',
      'const A = { b: 1 }',
      'const B = [{ A }]; B[0].A.b = 2',
      'the name `A`, whose value changes',
    ],
  ])('%s', async (title, before, after, reason) => {
    const name = title === 'itself' ? 'CONFIG' : 'A'
    const { config, told } = await read(`${before}\nexport const CONFIG = { a: ${name}, c: 1 };\n${after}`)
    expect(told).toEqual([`2:28 warning: expected \`CONFIG.a\` to be a constant, got ${reason}`])
    expect(config).toEqual({ c: 1 })
  })

  it.each([
    ['a function that is given to a method', '[1].forEach(() => { A.push(2) })'],
    ['a method that gives it to a function', '[A].forEach(one => one.push(2))'],
    ['a function that is called by `call`', '(function () { A.push(2) }).call(this)'],
    ['a parameter that has it without being given one', '((one = A) => { one.push(2) })()'],
    ['a member that may be missing', 'A?.push(2)'],
    ['a method that may be missing', 'Object.assign?.(A, [2])'],
    ['a block of a class', 'class B { static { A.push(2) } }'],
    ['a field of a class', 'class B { static b = A.push(2) }'],
  ])('one that is changed by %s', async (_, after) => {
    const { config, told } = await read(`const A = [1]\nexport const CONFIG = { a: A };\n${after}`)
    expect(told).toEqual([
      '2:28 warning: expected `CONFIG.a` to be a constant, got the name `A`, whose value changes',
    ])
    expect(config).toEqual({})
  })

  it.each([
    ['of a block', '{ let A = {}; A.b = 2 }'],
    ['of a loop', 'for (const A of [{}]) A.b = 2; for (let A = 0; A < 1; A++);'],
    ['of a clause', 'try { f() } catch (A) { A.b = 2 }'],
    ['of a choice', 'switch (1) { case 1: let A = {}; A.b = 2 }'],
    ['of a parameter', '(A => { A.b = 2 })({}); (({ A }) => { A.b = 2 })({ A: {} })'],
    ['of a function', '(function () { if (f()) { var A = {} } A.b = 2 })()'],
    ['of the function itself', '(function A() { A.b = 2 })()'],
    ['of a block of a class', 'class B { static { const A = {}; A.b = 2 } }'],
    ['of a field', 'class B { A = (A.b = 2); static A = 3 }'],
    ['of a member', 'const B = { A: {} }; B.A.b = 2; B.A = 3; delete B.A'],
    ['that a pattern takes from', 'const { A: B } = { A: {} }; B.b = 2'],
    ['of something that gets another value', 'let B = A; B = {}; let c = 0; c += A.b'],
  ])('another may have its name: one %s', async (_, after) => {
    const { config, told } = await read(`const A = { b: 1 }\nexport const CONFIG = { a: A };\n${after}`)
    expect(told).toEqual([])
    expect(config).toEqual({ a: { b: 1 } })
  })

  it('a text cannot change in part, whatever is assigned to', async () => {
    const { config } = await read("const A = 'a'\nconst B = { A }\nB.A = 'b'\nexport const CONFIG = { a: A }")
    expect(config).toEqual({ a: 'a' })
  })

  it('a field whose own value changes is no constant', async () => {
    const { config, told } = await read('export const CONFIG = { a: 1 }\nCONFIG.a = 2')
    expect(config).toBeUndefined()
    expect(told).toEqual(['1:23 error: expected `CONFIG` to be a constant, got a value that changes'])
  })

  it.each([
    ['in part', 'exports.CONFIG.a = 2'],
    ['by the name of the module', 'module.exports.CONFIG.b.push(2)'],
    ['in a block', 'if (f()) exports.CONFIG = {}'],
    ['under another name', 'const B = exports.CONFIG; B.a = 2'],
  ])('an export of CommonJS whose value changes %s is none', async (_, after) => {
    const { config, told } = await read(`exports.CONFIG = { a: 1, b: [] }\n${after}`, '.cjs')
    expect(config).toBeUndefined()
    expect(told).toEqual(['1:18 error: expected `CONFIG` to be a constant, got a value that changes'])
  })

  it.each([
    ['announced', 'exports.CONFIG = void 0', ''],
    ['set again at the top', 'exports.CONFIG = { a: 0 }', ''],
    ['changed elsewhere', '', 'exports.B = {}; exports.B.CONFIG = 1; other.exports.CONFIG.a = 2'],
  ])('an export of CommonJS may be %s', async (_, before, after) => {
    const { config } = await read(`${before}\nexports.CONFIG = { a: 1 }\n${after}`, '.cjs')
    expect(config).toEqual({ a: 1 })
  })
})

it('a number that is kept as text here is none there', async () => {
  const { config, told } = await read(
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

describe('CommonJS exports a constant object as a whole', () => {
  const META = "const META = { __version__: '1', CONFIG: { a: 1 } }\n"

  async function readAll(source: string) {
    const { metadata, diagnostics } = await parseBytes(
      'javascript/javascript',
      new TextEncoder().encode(source),
      '.cjs',
    )
    const { version, config } = metadata
    return { version, config, told: diagnostics.map(({ line, message }) => `${line} ${message}`) }
  }

  it.each([
    ['by its name', 'module.exports = META', '1', { a: 1 }],
    ['spread', 'module.exports = { ...META, execute() {} }', '1', { a: 1 }],
    ['before a member', "module.exports = { ...META, __version__: '2' }", '2', { a: 1 }],
    ['after a member', "module.exports = { __version__: '2', ...META }", '1', { a: 1 }],
    ['as it stands', "module.exports = { ...{ __version__: '3' } }", '3', undefined],
    ['by another name', 'const B = { ...META }\nmodule.exports = { ...B }', '1', { a: 1 }],
    ['beside what cannot be read', "module.exports = { ...require('./a'), ...META }", '1', { a: 1 }],
  ])('%s', async (_, exported, version, config) => {
    expect(await readAll(`${META}${exported}`)).toEqual({ version, config, told: [] })
  })

  it('of which a part cannot be read', async () => {
    const source =
      "const META = { __version__: f(), CONFIG: { a: f(), b: 1 } }\nmodule.exports = { __version__: '1', ...META }"
    expect(await readAll(source)).toEqual({
      version: undefined,
      config: { b: 1 },
      told: [
        '1 expected `__version__` to be a constant, got a call',
        '1 expected `CONFIG.a` to be a constant, got a call',
      ],
    })
  })

  it('that changes', async () => {
    const reason = 'got the name `META`, whose value changes'
    expect(await readAll(`${META}META.CONFIG.a = 2\nmodule.exports = { ...META }`)).toEqual({
      version: undefined,
      config: undefined,
      told: ['__version__', 'CONFIG'].map(name => `3 expected \`${name}\` to be a constant, ${reason}`),
    })
    const after = await readAll(`${META}module.exports = { ...META }\nmodule.exports.CONFIG.a = 2`)
    expect(after).toMatchObject({
      config: undefined,
      told: [expect.stringContaining('expected `CONFIG` to be a constant, got a value that changes')],
    })
  })
})

describe('what names repeat is bounded', () => {
  const chain = (first: string, next: (name: string) => string, levels: number) => {
    const lines = Array.from({ length: levels }, (_, level) => `const a${level + 1} = ${next(`a${level}`)}\n`)
    return `const a0 = ${first}\n${lines.join('')}export const CONFIG = { a: a${levels}, b: 1 }`
  }

  it.each([
    ['lists', '[1]', (name: string) => `[...${name}, ...${name}]`],
    ['objects', '{ a: 1 }', (name: string) => `{ b: [...[${name}, ${name}]], ...${name} }`],
    ['templates', "'a'", (name: string) => `\`\${${name}}\${${name}}\``],
    ['sums', "'a'", (name: string) => `${name} + ${name}`],
    ['references', '[1]', (name: string) => `[${name}, ${name}]`],
    ['problems', '[f(), f()]', (name: string) => `[${name}, ${name}]`],
    ['names', '[1]', (name: string) => name],
  ])('%s', async (_, first, next) => {
    for (const levels of [40, 4_000]) {
      const { config, told } = await read(chain(first, next, levels))
      expect(config === undefined || JSON.stringify(config).length < 3_000_000).toBe(true)
      expect(told.length).toBeLessThanOrEqual(21)
    }
  })

  it('20 000 items are repeated in one file, and not one more', async () => {
    const text = (items: number) =>
      `const a = [${'1,'.repeat(10_000)}]\nconst b = [...a]\nconst c = [${'1,'.repeat(items)}]\nexport const CONFIG = { d: [...c] }`
    expect((await read(text(10_000))).told).toEqual([])
    expect((await read(text(10_001))).told).toEqual([
      '4:29 warning: expected `CONFIG.d` to be a constant, got more than is read of one file',
    ])
  })

  it.each([
    ['lists', '[1]', (name: string) => `[...${name}, ...${name}]`, '15:14'],
    ['texts', "'a'", (name: string) => `${name} + ${name}`, '21:13'],
  ])('is told where too much is asked for: %s', async (_, first, next, place) => {
    const { told } = await read(chain(first, next, 30))
    expect(told).toEqual([
      `${place} warning: expected \`CONFIG.a\` to be a constant, got more than is read of one file`,
    ])
  })

  it('200 levels of one expression are read, and not one more', async () => {
    const nested = (levels: number) =>
      `export const CONFIG = ${'`${'.repeat(levels - 1)}1${'}`'.repeat(levels - 1)}`
    expect(await read(nested(200))).toEqual({ config: '1', told: [] })
    expect((await read(nested(201))).told[0]).toMatch(/got too many levels of nesting$/)
  })
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
      if (pick < 9) return `[${list(() => (choose(3) === 0 ? `...${name()}` : value(depth + 1)))}]`
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
        const { config, told } = await read(`${source}\nexport { CONFIG }`, '.mjs')
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
