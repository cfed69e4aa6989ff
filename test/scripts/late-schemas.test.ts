// The build's change to the SDK affects when a schema is made, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { object, string, union } from 'zod/v4'

const { makeLate } = await import(new URL('../../scripts/late-schemas.mjs', import.meta.url).href)
const packages = new URL('../../node_modules/@modelcontextprotocol/', import.meta.url)

/** Runs a changed module, whose `z` writes down what it made. */
function run(source: string): { made: string[]; result: Record<string, () => unknown> } {
  const made: string[] = []
  const z = {
    make: (name: string, ...parts: unknown[]) => {
      made.push(name)
      return { name, parts, extend: (more: string) => z.make(more, name) }
    },
  }
  return { made, result: new Function('z', `${makeLate(source)}\nreturn result`)(z) }
}

it('a schema is made when it is first used, and once', () => {
  const { made, result } = run(`
    const ASchema = z.make('a')
    const BSchema = z.make('b', ASchema, { ASchema })
    const CSchema$1 = BSchema.extend('c')
    const result = { read: () => BSchema.parts[1].ASchema, name: () => ASchema.name, c: () => CSchema$1['name'] }
  `)
  expect(made).toEqual([])
  expect(result.read!()).toBe(result.read!())
  expect(made).toEqual(['b'])
  expect([result.name!(), result.name!(), result.c!()]).toEqual(['a', 'a', 'c'])
  expect(made).toEqual(['b', 'a', 'c'])
})

it('a schema of a function is made when it is first used, too', () => {
  const { made, result } = run(`
    function build() {
      const ASchema = z.make('a')
      return { ASchema }
    }
    const schemas = build()
    const result = { name: () => schemas.ASchema.name }
  `)
  expect(made).toEqual([])
  expect(result.name!()).toBe('a')
})

it('whatever is not a constant made of schemas stays as it is', () => {
  const source = `
    let ASchema = z.make('a')
    const shape = { ASchema: z.make('b') }
    const BSchema = { name: 'c' }
    const CSchema = f(shape)
    const { DSchema } = shape
    const result = [ASchema.name, shape.ASchema.name, BSchema.name, CSchema]
    function f(value) { return value.ASchema.name }
  `
  expect(makeLate(source)).toBe(source)
})

it('what stands for a schema of zod does what the schema does', () => {
  const source =
    'const ASchema = z.object({ a: z.string() }); const BSchema = z.union([ASchema, z.string()]); const result = { ASchema, BSchema }'
  const { ASchema, BSchema } = new Function('z', `${makeLate(source)}\nreturn result`)({
    object,
    string,
    union,
  })
  const real = object({ a: string() })
  expect(Object.keys(ASchema)).toEqual(Object.keys(real))
  expect(BSchema.safeParse({ a: 'x' })).toEqual({ success: true, data: { a: 'x' } })
  expect(BSchema.safeParse({ a: 1 }).success).toBe(false)
  expect(ASchema.extend({ b: string() }).safeParse({ a: 'x' }).success).toBe(false)
  expect(ASchema.constructor).toBe(real.constructor)
  expect(Object.getPrototypeOf(ASchema)).toBe(Object.getPrototypeOf(real))
  expect('_zod' in ASchema && Object.hasOwn(ASchema, '_zod')).toBe(true)
})

it('the SDK is as this change expects it: nearly every schema is late', () => {
  const count = (name: string) => {
    const folder = new URL(`${name}/dist/`, packages)
    return readdirSync(folder)
      .filter(file => file.endsWith('.mjs'))
      .map(file => makeLate(readFileSync(new URL(file, folder), 'utf8')).split('lateSchema(() =>').length - 1)
      .reduce((sum, found) => sum + found, 0)
  }
  expect(count('core')).toBeGreaterThan(150)
  expect(count('server')).toBeGreaterThan(200)
})
