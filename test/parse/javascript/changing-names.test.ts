// Names that are not constants, because something in the module may change them.
import { describe, expect, it } from 'vitest'
import { readConfig } from './read-config.ts'

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
    const { config, told } = await readConfig(
      `${before}\nexport const CONFIG = { a: ${name}, c: 1 };\n${after}`,
    )
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
    const { config, told } = await readConfig(`const A = [1]\nexport const CONFIG = { a: A };\n${after}`)
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
    const { config, told } = await readConfig(`const A = { b: 1 }\nexport const CONFIG = { a: A };\n${after}`)
    expect(told).toEqual([])
    expect(config).toEqual({ a: { b: 1 } })
  })

  it('a text cannot change in part, whatever is assigned to', async () => {
    const { config } = await readConfig(
      "const A = 'a'\nconst B = { A }\nB.A = 'b'\nexport const CONFIG = { a: A }",
    )
    expect(config).toEqual({ a: 'a' })
  })

  it('a field whose own value changes is no constant', async () => {
    const { config, told } = await readConfig('export const CONFIG = { a: 1 }\nCONFIG.a = 2')
    expect(config).toBeUndefined()
    expect(told).toEqual(['1:23 error: expected `CONFIG` to be a constant, got a value that changes'])
  })

  it.each([
    ['in part', 'exports.CONFIG.a = 2'],
    ['by the name of the module', 'module.exports.CONFIG.b.push(2)'],
    ['in a block', 'if (f()) exports.CONFIG = {}'],
    ['under another name', 'const B = exports.CONFIG; B.a = 2'],
  ])('an export of CommonJS whose value changes %s is none', async (_, after) => {
    const { config, told } = await readConfig(`exports.CONFIG = { a: 1, b: [] }\n${after}`, '.cjs')
    expect(config).toBeUndefined()
    expect(told).toEqual(['1:18 error: expected `CONFIG` to be a constant, got a value that changes'])
  })

  it.each([
    ['announced', 'exports.CONFIG = void 0', ''],
    ['set again at the top', 'exports.CONFIG = { a: 0 }', ''],
    ['changed elsewhere', '', 'exports.B = {}; exports.B.CONFIG = 1; other.exports.CONFIG.a = 2'],
  ])('an export of CommonJS may be %s', async (_, before, after) => {
    const { config } = await readConfig(`${before}\nexports.CONFIG = { a: 1 }\n${after}`, '.cjs')
    expect(config).toEqual({ a: 1 })
  })
})
