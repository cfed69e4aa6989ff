// Schemas whose references lead back to themselves: checked in bounded time, or refused.
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { failureOf } from '../world.ts'
import { faultsOf, validate } from './check-parameters.ts'

describe('a schema that refers to itself', () => {
  const twice = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] })
  const chain = (place: string, at: (level: number) => string, ends: object = { type: 'object' }) => ({
    $ref: at(0),
    [place]: Object.fromEntries(
      Array.from({ length: 36 }, (_, level) => [`a${level}`, level === 35 ? ends : twice(at(level + 1))]),
    ),
  })
  const nested = (levels: number): JsonObject => (levels === 0 ? {} : { x: nested(levels - 1) })
  const both = { properties: { x: { $ref: '#/$defs/a' } } }

  test.each<[string, object, JsonObject]>([
    ['doubles at each level', chain('$defs', level => `#/$defs/a${level}`), {}],
    ['doubles out of what is no place for schemas', chain('default', level => `#/default/a${level}`), {}],
    ['doubles by encoded names', chain('default', level => `#/def%61ult/a${level}`), {}],
    [
      'takes back what it has counted',
      chain('$defs', level => `#/$defs/a${level}`, { 'x-rye-steps': -1e15 }),
      {},
    ],
    [
      'doubles with each level of the parameters',
      { $ref: '#/$defs/a', $defs: { a: { allOf: [both, both] } } },
      nested(100),
    ],
    ['is nothing else', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, {}],
    ['is itself twice', { $ref: '#/$defs/a', $defs: { a: twice('#/$defs/a') } }, {}],
    ['is its own root', { allOf: [{ $ref: '#' }] }, {}],
    ['is itself by a name', { $ref: '#a', $defs: { x: { $anchor: 'a', ...twice('#a') } } }, {}],
  ])('and %s is refused', async (_what, schema, parameters) => {
    expect(await failureOf(validate(schema as JsonObject, parameters))).toMatchObject({
      code: 'CHAIN_INVALID',
      message: expect.stringMatching(/^the parameter schema of `my\/tool` /),
    })
  })

  const TREE = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          state: { default: { $ref: 'as it is' } },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
  }
  const tree = (levels: number): JsonObject => ({
    name: 'x',
    children: levels === 0 ? [] : [tree(levels - 1), tree(levels - 1)],
  })

  test('only for smaller parts checks trees of any form, and leaves defaults as they are', async () => {
    expect(await validate(TREE, { name: 'x' })).toEqual({ name: 'x', state: { $ref: 'as it is' } })
    expect(await validate(TREE, tree(10))).toMatchObject({ children: [{ name: 'x' }, { name: 'x' }] })
    const flat = { name: 'x', children: Array.from({ length: 5000 }, () => ({ name: 'y' })) }
    expect(await validate(TREE, flat)).toMatchObject({ children: expect.any(Array) })
    const faults = await faultsOf(TREE, { name: 'x', children: [{ name: 1 }] })
    expect(faults).toHaveLength(1)
    expect(await faultsOf(TREE, { name: 'x', 'x-rye-steps': 1 })).toHaveLength(1)
  })

  // Each level can have either form, and neither fits: all faults of it would be doubled at each level.
  const forms = (more: object) => ({
    properties: { t: { $ref: '#/$defs/n' } },
    $defs: {
      n: {
        anyOf: [
          { type: 'array', items: { $ref: '#/$defs/n' } },
          { type: 'array', ...more },
          { type: 'integer' },
        ],
      },
    },
  })
  const FORMS = forms({ items: { $ref: '#/$defs/n' }, maxItems: 2000 }) as JsonObject
  const lists = (...lengths: number[]): JsonValue =>
    lengths.reduceRight<JsonValue>((inner, length) => Array.from({ length }, () => inner), 'x')

  test.each([
    ['deep', lists(...Array.from({ length: 12 }, () => 1))],
    ['wide', lists(20, 20)],
    ['long', Array.from({ length: 3000 }, () => 'x')],
  ])('what a schema of many forms refuses has faults that can be told: %s', async (_what, t) => {
    const faults = await faultsOf(FORMS, { t })
    expect(faults[0]).toMatch(/^\/t\/.*: expected (array|integer), got string$/)
    expect(faults.length).toBeLessThanOrEqual(100)
  })
})

test('of many faults of one kind the first hundred are told', async () => {
  const schema = { properties: { t: { type: 'array', items: { type: 'integer' } } } }
  const failure = await failureOf(validate(schema, { t: Array.from({ length: 5000 }, () => 'x') }))
  expect(failure.message).toContain('; /t/19: expected integer, got string; and at least 80 more')
  expect((failure as unknown as { details: { errors: unknown[] } }).details.errors).toHaveLength(100)
})

test('names and values that are expected are listed in part', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `name${index}`)
  const properties = Object.fromEntries(names.map(name => [name, {}]))
  const [unknown] = await faultsOf({ properties, additionalProperties: false }, { zzzzzzzz: 1 })
  expect(unknown).toMatch(/^\/zzzzzzzz: unknown; expected one of name0, .*, name49 and 10 more$/)
  const [other] = await faultsOf({ properties: { a: { enum: names } } }, { a: 'b' })
  expect(other).toMatch(/"name49" and 10 more$/)
})
