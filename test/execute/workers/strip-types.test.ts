import { describe, expect, it } from 'vitest'
import { stripTypes } from '../../../src/execute/workers/strip-types.ts'

async function strip(source: string): Promise<string> {
  const stripped = await stripTypes(source, 'tool.ts')
  expect(stripped).toHaveLength(source.length)
  return stripped
}

/** Types leave spaces behind, so the results are compared without them. */
async function squeezed(source: string): Promise<string> {
  return (await strip(source)).replaceAll(/ +/g, ' ').trim()
}

describe('stripTypes', () => {
  it.each([
    ['annotations', 'const a: number = 1', 'const a = 1'],
    [
      'return types',
      'function f(a: string, b?: number): Promise<void> { return a }',
      'function f(a , b ) { return a }',
    ],
    ['generics', 'const id = <T,>(x: T): T => x', 'const id = (x ) => x'],
    ['type arguments', 'const m = new Map<string, number[]>()', 'const m = new Map ()'],
    [
      'casts',
      'const a = b as unknown as C; const d = e satisfies F; const g = <any>h; k!.l()',
      'const a = b ; const d = e ; const g = h; k .l()',
    ],
    ['a definite variable', 'let a!: string', 'let a ;'],
    ['an optional parameter without a type', 'const f = (a?) => a', 'const f = (a ) => a'],
    ['a this parameter', 'function f(this: Window, a: number) {}', 'function f( a ) {}'],
    ['interfaces and aliases', 'interface A { b: string }\ntype C = A | null\nlet d', '; \n; \nlet d'],
    [
      'exported types',
      'export type A = 1\nexport interface B {}\nexport const c = 1',
      '; \n; \nexport const c = 1',
    ],
    [
      'type imports',
      "import type { A } from 'a'\nimport { type B, c } from 'b'",
      "; \nimport { c } from 'b'",
    ],
    ['type exports', "export type { A } from 'a'\nexport { type B, c }", '; \nexport { c }'],
    [
      'declarations',
      'declare const A: string\ndeclare module "x" {}\ndeclare enum E { A }\nlet b',
      '; \n; \n; \nlet b',
    ],
    ['overloads', 'function f(a: string): void\nfunction f(a: any) {}', '; \nfunction f(a ) {}'],
    ['catch bindings', 'try {} catch (e: unknown) {}', 'try {} catch (e ) {}'],
  ])('strips %s', async (_, source, expected) => {
    expect(await squeezed(source)).toBe(expected)
  })

  it('strips what classes add', async () => {
    const source = [
      'abstract class A<T> extends B<T> implements C, D {',
      '  private static readonly x?: number = 1',
      '  declare y: string',
      '  z!: T',
      '  [key: string]: unknown',
      '  abstract q(): void',
      '  m(a: string): void',
      '  override async m(a: any): Promise<void> {}',
      '}',
    ].join('\n')
    const lines = (await strip(source)).split('\n').map(line => line.replaceAll(/ +/g, ' ').trim())
    expect(lines).toEqual([
      'class A extends B {',
      'static x = 1',
      ';',
      'z ;',
      ';',
      ';',
      ';',
      'async m(a ) {}',
      '}',
    ])
  })

  it('keeps two statements apart where only a type stood between them', async () => {
    const source =
      'let out = []\nconst a = out as unknown[]\n;[1].forEach(x => out.push(x))\nconst b = a as T\n(0, out)'
    expect(await strip(source)).toMatch(/const b = a {4};\n\(0, out\)$/)
  })

  it.each([
    ['for (const a of b) x = a as T\n(foo)()', /x = a {4};\n\(foo\)\(\)$/],
    ['label: for (;;) x = y as T\n(z)', /x = y {4};\n\(z\)$/],
    ['export default x as T\n(foo)()', /default x {4};\n\(foo\)\(\)$/],
    ['for (let i = 0 as T; i < 1; i++) {}', /^for \(let i = 0 {5}; i < 1; i\+\+\) \{\}$/],
  ])('keeps statements apart: %j', async (source, expected) => {
    expect(await strip(source)).toMatch(expected)
  })

  it.each([
    'const a = b?.c!.d?.()!.e as F',
    'export default abstract class A<T> extends B<T> implements C { declare x: T; abstract y: T; constructor(this: A, a?: T) { super() } }',
    'export type { A } from "a"; export { type B, c } from "b"; import d, { type E } from "d"; export interface F {}\nexport declare const g: number',
    'const f = async <T,>(a: T, ...b: T[]): Promise<T> => { try { return g<T>(a)! } catch (e: unknown) { throw <any>e } }',
    'function f(a: string): void\nfunction f(a: any): asserts a is string {}\nconst h = f<string>\nlet i!: number, { j = 1 as K, ...l }: M = n satisfies O',
    '/* c */ class P { // d\n  private static readonly q?: number = 1\n  get r(): number { return 1 }\n  [key: string]: unknown\n  static { this.q as S }\n}',
  ])('takes %j for the same program', async source => {
    await strip(source)
  })

  it('keeps an arrow on the line of its parameters', async () => {
    expect(await squeezed('const f = (a: string):\n  | string\n  | null => a')).toBe('const f = (a ) => a')
  })

  it.each([
    ['an assertion', 'function f() { return <any>\n 1 }', 'function f() { return 1 }'],
    ['type parameters', 'function f() { return <\n T,\n>(a: T) => a }', 'function f() { return (a ) => a }'],
    ['type parameters of an async arrow', 'const f = async <T,>\n(a: T) => a', 'const f = async (a ) => a'],
  ])('keeps a value on the line of its `return`: %s', async (_, source, expected) => {
    expect(await squeezed(source)).toBe(expected)
  })

  it.each([
    ['const a = <A>{ b: 1 }', 'const a = { b: 1 }'],
    ['f(<A>{ b: 1 }, <B>function () {})', 'f( { b: 1 }, function () {})'],
    ['const f = () => (<A>{ b: 1 })', 'const f = () => ( { b: 1 })'],
    ['const f = () => <A>[1]', 'const f = () => [1]'],
  ])('strips an assertion where a value is meant: %s', async (source, expected) => {
    expect(await squeezed(source)).toBe(expected)
  })

  it('leaves JavaScript as it is, text that looks like types included', async () => {
    const source =
      'const a = b ? c : d; const e = `x as T: string`; /* f: number */ label: for (;;) break label'
    expect(await strip(source)).toBe(source)
  })

  it.each([
    ['an enum', 'enum A { B }'],
    ['a namespace', 'namespace A { export const b = 1 }'],
    ['a parameter property', 'class A { constructor(private b: string) {} }'],
    ['an `import =`', "import a = require('a')"],
    ['an `export =`', 'const a = 1\nexport = a'],
    ['a syntax error', 'const a: = 1'],
    ['an object that would be the block of an arrow', 'const f = () => <A>{ a: 1 }'],
    ['an object that would be a block', '<A>{ a: 1 }'],
    ['two assertions before one', '<A><B>{ a: 1 }'],
    ['a function that would be declared', '<A>function f() {}'],
    ['a class that would be declared', 'export default <A>class {}'],
    ['a product that would be a sum', 'const c = a + b as number * 2'],
    ['a comparison that would be another', 'const d = c < a as any + b'],
  ])('refuses %s with its place', async (_, source) => {
    await expect(stripTypes(source, 'tool.ts')).rejects.toMatchObject({
      code: 'ITEM_MALFORMED',
      message: expect.stringMatching(/^`tool.ts`, line \d, column \d+: /),
    })
  })

  it.each([
    ['brackets', `const a: number[] = ${'['.repeat(50_000)}`],
    ['calls', `${'f('.repeat(50_000)} as string`],
    ['types', `type A = ${'B<'.repeat(50_000)}`],
  ])('refuses %s deeper than the parser can follow', async (_, source) => {
    await expect(stripTypes(source, 'tool.ts')).rejects.toMatchObject({ code: 'ITEM_MALFORMED' })
  })

  it('reads a sum of a thousand numbers', async () => {
    const sum = Array.from({ length: 1_000 }, () => '1').join('\n + ')
    expect(await strip(`const a: number = ${sum}`)).toBe(`const a         = ${sum}`)
  })

  it('strips its own source into JavaScript', async () => {
    const { readFileSync } = await import('node:fs')
    const own = readFileSync(new URL('../../../src/execute/workers/strip-types.ts', import.meta.url), 'utf8')
    expect(await strip(own)).not.toContain(': string')
  })
})
