// Numbers that would not reach a tool as they were written.
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { failureOf } from '../world.ts'
import { faultsOf, validate } from './check-parameters.ts'

const RANGE = 'a whole number from -9007199254740991 to 9007199254740991'
const BEYOND = `expected ${RANGE}, got one beyond, which cannot be kept exactly`

describe('a number that would not arrive as it was written', () => {
  const inSchema = (n: JsonValue) => ({ type: 'object', properties: { n } })
  const read = (text: string): JsonObject => JSON.parse(text)

  test.each(['9007199254740992', '-9007199254740993', '9223372036854775807', '1e20', '1e308'])(
    'is refused where a whole one is asked for: %s',
    async digits => {
      expect(await faultsOf(inSchema({ type: 'integer' }), read(`{"n": ${digits}}`))).toEqual([
        `/n: ${BEYOND}`,
      ])
    },
  )

  test('is refused wherever it stands, and however it is asked for', async () => {
    const whole = { type: 'integer' }
    const n = Number.MAX_SAFE_INTEGER + 1
    expect(await faultsOf(inSchema({ type: 'array', items: whole }), { n: [1, n] })).toEqual([
      `/n/1: ${BEYOND}`,
    ])
    expect(await faultsOf({ ...inSchema({ $ref: '#/$defs/whole' }), $defs: { whole } }, { n })).toEqual([
      `/n: ${BEYOND}`,
    ])
    expect(await faultsOf(inSchema({ anyOf: [whole, { type: 'null' }] }), { n })).toContain(`/n: ${BEYOND}`)
    // A parameter may be called as the keyword is.
    const named = { type: 'object', properties: { type: whole, 'x-rye-whole': whole } }
    expect(await faultsOf(named, { type: n, 'x-rye-whole': n })).toHaveLength(2)
    expect(await validate(named, { type: 1, 'x-rye-whole': 2 })).toEqual({ type: 1, 'x-rye-whole': 2 })
  })

  test.each<[JsonValue]>([[true], [false], ['odd'], [{ type: 'integer' }]])(
    'is not what an author says by our keywords: %j',
    async value => {
      const own = { 'x-rye-whole': value, 'x-rye-text': value }
      expect(await validate(inSchema({ type: 'number', ...own }), { n: 2 ** 53 })).toEqual({ n: 2 ** 53 })
      expect(await faultsOf(inSchema({ type: 'integer', ...own }), { n: 2 ** 53 })).toEqual([`/n: ${BEYOND}`])
    },
  )

  test.each<[string, JsonObject]>([
    ['if', { if: { type: 'integer' }, else: { maximum: 100 } }],
    ['not', { type: 'number', not: { type: 'integer' } }],
    ['oneOf', { oneOf: [{ type: 'integer' }, { type: 'number', multipleOf: 1 }] }],
    ['contains', { type: 'array', contains: { type: 'integer' } }],
  ])('is not let through because %s asks for a whole one', async (keyword, schema) => {
    const n = keyword === 'contains' ? [2 ** 53, 1] : 2 ** 53
    const path = keyword === 'contains' ? '/n/0' : '/n'
    expect(await faultsOf(inSchema(schema), { n })).toContain(`${path}: ${BEYOND}`)
  })

  test('may be passed as text to what takes text, which it says', async () => {
    const schema = inSchema({ type: ['integer', 'string'] })
    expect(await faultsOf(schema, read('{"n": 9007199254740993}'))).toEqual([
      `/n: ${BEYOND}: pass it as text`,
    ])
    expect(await validate(schema, { n: '9007199254740993' })).toEqual({ n: '9007199254740993' })
  })

  test.each<[JsonObject]>([
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }],
    [{ oneOf: [{ type: 'string', pattern: '^x' }, { $ref: '#/$defs/whole' }] }],
    [{ $ref: '#/$defs/either' }],
    [{ allOf: [{ $ref: '#/$defs/either' }] }],
  ])('may be passed as text where %j takes text, which it says', async n => {
    const $defs = { whole: { type: 'integer' }, either: { anyOf: [{ type: 'integer' }, { type: 'string' }] } }
    const properties = { n, m: { $ref: '#/$defs/whole' }, items: { type: 'array', items: n } }
    const big = 2 ** 53
    const faults = await faultsOf({ properties, $defs }, { n: big, m: big, items: [1, big] })
    const told = faults.filter(fault => fault.includes('cannot be kept'))
    expect(told.toSorted()).toEqual([
      `/items/1: ${BEYOND}: pass it as text`,
      `/m: ${BEYOND}`,
      `/n: ${BEYOND}: pass it as text`,
    ])
  })

  test('is not to be passed as text where another part of the schema takes none', async () => {
    const number = { type: 'integer', anyOf: [{ minimum: 1 }, { maximum: 0 }] }
    expect(await faultsOf(inSchema(number), { n: 2 ** 53 })).toEqual([`/n: ${BEYOND}`])
  })

  test('is whole and near enough where any number is asked for, and up to the last that is exact', async () => {
    for (const type of ['number', ['integer', 'number']])
      expect(await validate(inSchema({ type }), { n: 1e20 })).toEqual({ n: 1e20 })
    const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number
    for (const n of [most, least, 0])
      expect(await validate(inSchema({ type: 'integer' }), { n })).toEqual({ n })
  })

  test.each([undefined, {}, inSchema({}), inSchema({ type: 'integer' }), inSchema({ type: 'number' })])(
    'is refused under the schema %j where JSON would make null of it',
    async schema => {
      const parameters = read('{"n": [{"a/b": 1e400}]}')
      const failure = await failureOf(validate(schema, parameters))
      expect(failure.code).toBe('PARAMETERS_INVALID')
      expect(failure.message).toContain(
        '/n/0/a~1b: expected a number below 1.8e308, got a number that is too large to keep',
      )
      expect((await failureOf(validate(schema, { n: -Infinity }))).message).toContain('/n: expected')
    },
  )
})
