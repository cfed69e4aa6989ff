// The change that the build makes to the SDK: when a schema is made, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const { defer } = await import(new URL('../../scripts/late-schemas.mjs', import.meta.url).href)
const packages = new URL('../../node_modules/@modelcontextprotocol/', import.meta.url)

/** Runs a changed module, whose `make` writes down what it made. */
function run(source: string): { made: string[]; result: Record<string, unknown> } {
  const made: string[] = []
  const make = (name: string, ...parts: unknown[]) => {
    made.push(name)
    return { name, parts }
  }
  return { made, result: new Function('make', `${defer(source, 'test')}\nreturn result`)(make) }
}

it('a schema is made when it is first read, and once', () => {
  const { made, result } = run(`
    const ASchema = make('a')
    const BSchema = make('b', ASchema, { ASchema, other: ASchema })
    const CSchema = make('c')
    const result = { read: () => BSchema, again: () => [BSchema.name, BSchema['name']] }
  `)
  expect(made).toEqual([])
  const read = result.read as () => { parts: unknown[] }
  const again = result.again as () => unknown
  const a = { name: 'a', parts: [] }
  expect(read().parts).toEqual([a, { ASchema: a, other: a }])
  expect(again()).toEqual(['b', 'b'])
  expect(read()).toBe(read())
  expect(made).toEqual(['a', 'b'])
})

it('the object that a maker returns makes what it is asked for', () => {
  const { made, result } = run(`
    function build$1() {
      const ASchema$1 = make('a')
      return { ASchema: ASchema$1, BSchema: make('b', ASchema$1), CSchema: make('c') }
    }
    const s = build$1()
    const maps = { requests: { one: s.BSchema, two: s.CSchema } }
    const result = { maps, names: Object.keys(s) }
  `)
  expect(made).toEqual([])
  expect(result.names).toEqual(['ASchema', 'BSchema', 'CSchema'])
  const { requests } = result.maps as { requests: Record<string, unknown> }
  expect(requests.one).toBe(requests.one)
  expect(made).toEqual(['a', 'b'])
  expect({ ...requests }).toEqual({ one: expect.anything(), two: { name: 'c', parts: [] } })
})

it('a table that only names schemas, and constants made of their parts, make nothing until they are read', () => {
  const { made, result } = run(`
    const ASchema = make('a')
    const BSchema = make('b')
    const table = { ASchema, BSchema }
    const ROOT_KEYS = new Set(Object.keys(BSchema))
    const PROPERTY_KEYS_BY_TYPE = { a: ASchema.name }
    const result = { table, has: key => ROOT_KEYS.has(key), of: type => PROPERTY_KEYS_BY_TYPE[type] }
  `)
  expect(Object.keys(result.table as object)).toEqual(['ASchema', 'BSchema'])
  expect(made).toEqual([])
  expect((result.has as (key: string) => boolean)('parts')).toBe(true)
  expect(made).toEqual(['b'])
  expect((result.of as (type: string) => string)('a')).toBe('a')
  expect((result.table as Record<string, unknown>).ASchema).toEqual({ name: 'a', parts: [] })
  expect(made).toEqual(['b', 'a'])
})

it('keys, members, other names and arguments stay as they are', () => {
  const source = `
    const shape = { ASchema: 1, b: make('shape') }
    const result = [shape.ASchema, parseSchema(shape), { ASchema: 2 }]
    function parseSchema(value) { return value.b.name }
  `
  expect(run(source).result).toEqual([1, 'shape', { ASchema: 2 }])
})

it('a table that the SDK fills in another way than we know is an error', () => {
  expect(() => defer('_specTypeSchemas[name] = other', 'file.mjs')).toThrow(/file\.mjs: expected once/)
})

it('the SDK is as this change expects it: every schema is late', () => {
  const count = (name: string, word: string) => {
    const folder = new URL(`${name}/dist/`, packages)
    return readdirSync(folder)
      .filter(file => file.endsWith('.mjs'))
      .map(file => defer(readFileSync(new URL(file, folder), 'utf8'), file).split(word).length - 1)
      .reduce((sum, found) => sum + found, 0)
  }
  expect(count('core', '@__PURE__ */ lateValue(')).toBeGreaterThan(150)
  expect(count('server', '@__PURE__ */ lateValue(')).toBeGreaterThan(250)
  expect(count('server', 'lateObject({')).toBeGreaterThan(5)
})
