// Defaults that no call can use: the author is told, and the caller is not blamed.
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { defaultFaults } from '../../../src/plan/parameters/schema-defaults.ts'
import { faultsOf, validate } from './check-parameters.ts'

// The number as metadata keeps it.
const LARGE = '9007199254740993'
const RANGE = 'a whole number from -9007199254740991 to 9007199254740991'
const inSchema = (n: JsonValue): JsonObject => ({ type: 'object', properties: { n } })

describe('for whoever signs', () => {
  test.each<[string, JsonObject]>([
    ['/properties/n', inSchema({ type: 'integer', default: LARGE })],
    ['/properties/n', inSchema({ anyOf: [{ type: 'integer' }, { type: 'null' }], default: LARGE })],
    ['/properties/default', { properties: { default: { type: 'integer', default: LARGE } } }],
    [
      '/properties/n/items/0',
      inSchema({ type: 'array', items: [{ type: 'integer', default: `-${LARGE}` }] }),
    ],
    ['/$defs/whole', { $defs: { whole: { type: 'integer', default: LARGE } } }],
  ])('the default at %s is told', (path, schema) => {
    expect(defaultFaults(schema)).toEqual([
      expect.stringMatching(
        new RegExp(`^the default \`-?${LARGE}\` at \`${path.replace('$', '\\$')}\` .*: expected ${RANGE}`),
      ),
    ])
  })

  test.each<[JsonValue | undefined]>([
    [undefined],
    [null],
    ['text'],
    [inSchema({ type: 'integer', default: 5 })],
    [inSchema({ type: 'string', default: LARGE })],
    [inSchema({ type: ['integer', 'string'], default: LARGE })],
    [inSchema({ type: 'number', default: LARGE })],
    [inSchema({ default: LARGE })],
    [inSchema({ type: 'object', default: { type: 'integer', default: LARGE } })],
  ])('nothing is told of %j', schema => {
    expect(defaultFaults(schema)).toEqual([])
  })
})

test('of many defaults the first ten are told, in their order', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`p${at}`, { type: 'integer', default: LARGE }]),
  )
  const told = defaultFaults({ properties })
  expect(told[0]).toContain('`/properties/p0`')
  expect(told.slice(9)).toEqual([expect.stringContaining('`/properties/p9`'), 'and 20 more such defaults'])
})

describe('at the call', () => {
  const BLAME = "the tool's default is wrong, not the call"

  test.each<[JsonValue]>([
    [{ type: 'integer', default: LARGE }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }], default: LARGE }],
  ])('the tool is blamed once where %j was left out', async n => {
    expect(await faultsOf(inSchema(n), {})).toEqual([
      `/n: ${BLAME}: expected ${RANGE}, got one beyond, which cannot be kept exactly; pass a value, or fix the tool`,
    ])
    expect(await validate(inSchema(n), { n: 5 })).toEqual({ n: 5 })
  })

  test('the caller is blamed for what was given, and each for their own', async () => {
    const whole = { type: 'integer', default: LARGE }
    const schema = { properties: { 'a/b': whole, n: whole, deep: { properties: { m: whole } } } }
    expect(await faultsOf(schema, { n: LARGE, deep: {} })).toEqual([
      '/n: expected integer, got string',
      expect.stringContaining(`/a~1b: ${BLAME}`),
      expect.stringContaining(`/deep/m: ${BLAME}`),
    ])
    const short = inSchema({ type: 'string', minLength: 3, default: 'ab' })
    expect(await faultsOf(short, {})).toEqual([
      `/n: ${BLAME}: expected at least 3 characters; pass a value, or fix the tool`,
    ])
    expect(await faultsOf({ ...short, required: ['m'] }, { n: 'ab' })).toEqual(
      expect.arrayContaining(['/n: expected at least 3 characters', '/m: required, but missing']),
    )
  })

  test('the tool is blamed for what its default lacks, too', async () => {
    const o = { type: 'object', required: ['a'], default: { b: 1 } }
    expect(await faultsOf({ properties: { o } }, {})).toEqual([expect.stringMatching(`^/o/a: ${BLAME}`)])
    expect(await faultsOf({ properties: { o } }, { o: {} })).toEqual(['/o/a: required, but missing'])
    expect(await faultsOf({ properties: {}, required: ['x'] }, {})).toEqual(['/x: required, but missing'])
  })

  test('a default past every number is no null', async () => {
    const schema = inSchema({ type: ['number', 'null'], default: '9'.repeat(400) })
    expect(await faultsOf(schema, {})).toEqual([expect.stringContaining(BLAME)])
  })

  test('a default is rounded where any number is taken, and stays text where text is', async () => {
    expect(await validate(inSchema({ type: 'number', default: LARGE }), {})).toEqual({ n: 2 ** 53 })
    for (const type of ['string', ['number', 'string']])
      expect(await validate(inSchema({ type, default: LARGE }), {})).toEqual({ n: LARGE })
  })
})
