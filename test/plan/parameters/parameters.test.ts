// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import type { PatternMatcher } from '../../../src/plan/parameters/parameters.ts'
import { failureOf } from '../world.ts'
import { faultsOf, validate } from './check-parameters.ts'

const matches: PatternMatcher = async (pattern, text) => new RegExp(pattern, 'u').test(text)

const WRITE = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    mode: { enum: ['a', 'w'] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
  required: ['path', 'count'],
  additionalProperties: false,
}

describe('parameters', () => {
  test('without a schema pass as they are', async () => {
    const parameters = { timeout: 5, env: { a: 1 } }
    expect(await validate(undefined, parameters)).toBe(parameters)
    expect(await validate(null, parameters)).toBe(parameters)
  })

  test('that fit reach the tool unchanged', async () => {
    const parameters = { path: '${HOME}/{path}\u0000', count: 3, tags: ['a', 'b'] }
    expect(await validate(WRITE, parameters)).toEqual(parameters)
  })

  test('get defaults, and the caller’s object is left alone', async () => {
    const given = {}
    const schema = {
      properties: {
        timeout: { default: 120 },
        inner: { default: {}, properties: { deep: { default: 'x' } } },
      },
    }
    expect(await validate(schema, given)).toEqual({ timeout: 120, inner: { deep: 'x' } })
    expect(given).toEqual({})
  })

  test('are never converted', async () => {
    expect(await faultsOf(WRITE, { path: 'x', count: '3' })).toEqual(['/count: expected integer, got string'])
  })

  test('have all their faults reported at once, with paths', async () => {
    const faults = await faultsOf(WRITE, { path: 7, mode: 'x', tags: ['a', 'a', 5], cuont: 1 })
    expect(faults.sort()).toEqual([
      '/count: required, but missing',
      '/cuont: unknown; did you mean `count`?',
      '/mode: expected one of "a", "w"',
      '/path: expected string, got integer',
      '/tags/2: expected string, got integer',
      '/tags: expected items that all differ',
    ])
  })

  test.each([
    [{ properties: { n: { exclusiveMinimum: 0 } } }, { n: 0 }, '/n: expected more than 0'],
    [{ properties: { n: { multipleOf: 3 } } }, { n: 4 }, '/n: expected a multiple of 3'],
    [{ properties: { s: { minLength: 2 } } }, { s: 'a' }, '/s: expected at least 2 characters'],
    [{ properties: { s: { const: 'a' } } }, { s: 'b' }, '/s: expected "a"'],
    [{ properties: { s: false } }, { s: 'b' }, '/s: is not allowed'],
    [
      { properties: { s: { type: ['string', 'null'] } } },
      { s: 1 },
      '/s: expected string or null, got integer',
    ],
    [{ required: ['constructor'] }, {}, '/constructor: required, but missing'],
    [{ properties: { 'a/b': { type: 'string' } } }, { 'a/b': 1 }, '/a~1b: expected string, got integer'],
    [{ minProperties: 1 }, {}, '/: expected at least 1 member'],
  ])('under %j', async (schema, parameters, fault) => {
    expect(await faultsOf(schema, parameters)).toContain(fault)
  })

  test('are not quoted in messages, for they may be secret', async () => {
    const failure = await failureOf(validate(WRITE, { path: ['hunter2'], count: 99, mode: 'hunter2' }))
    expect(failure.message).not.toContain('hunter2')
  })

  test.each([undefined, { properties: { deep: {} } }])(
    'of 200 levels are taken, deeper ones refused, with the schema %j',
    async schema => {
      // The object of parameters is a level itself.
      const nest = (levels: number): JsonObject => {
        let deep: JsonValue = 1
        for (let level = 1; level < levels; level++) deep = level % 2 === 0 ? [deep] : { a: deep }
        return { deep }
      }
      expect(await validate(schema, nest(200))).toEqual(nest(200))
      for (const levels of [201, 20_000]) {
        const failure = await failureOf(validate(schema, nest(levels)))
        expect(failure.code).toBe('PARAMETERS_INVALID')
        expect(failure.message).toBe('expected parameters at most 200 levels deep')
      }
    },
  )

  test('a long list of objects that must differ is checked in linear time', async () => {
    const list = Array.from({ length: 50_000 }, (_, index) => ({ index }))
    expect(await validate({ properties: { list: { uniqueItems: true } } }, { list })).toEqual({ list })
  })
})

describe('a schema', () => {
  /** A schema of so many values in all: itself, a list, and what is in it. */
  function ofValues(count: number): JsonObject {
    return { 'x-list': Array.from({ length: count - 2 }, () => 0) }
  }

  test('of 10000 values is taken', async () => {
    expect(await validate(ofValues(10_000), { a: 1 })).toEqual({ a: 1 })
  })

  test.each([
    ['a list', [], 'expected an object, got a list'],
    ['a text', 'string', 'expected an object, got a string'],
    ['of an unknown type', { properties: { a: { type: 'text' } } }, 'is invalid'],
    ['with a dangling reference', { properties: { a: { $ref: '#/$defs/none' } } }, 'is invalid'],
    [
      'with a remote reference',
      { properties: { a: { $ref: 'https://evil.example/s.json' } } },
      'points outside of the schema',
    ],
    [
      'with a reference to a file',
      { allOf: [{ $ref: 'file:///etc/passwd' }] },
      'points outside of the schema',
    ],
    ['of too many values', ofValues(10_001), 'at most 10000 values'],
  ])('%s is refused', async (_, schema, reason) => {
    const failure = await failureOf(validate(schema as JsonValue, {}))
    expect(failure.code).toBe('CHAIN_INVALID')
    expect(failure.message).toContain('the parameter schema of `my/tool` is invalid')
    expect(failure.message).toContain(reason)
  })

  test('may refer to its own definitions', async () => {
    const schema = {
      $id: 'https://x.example/s',
      $defs: { name: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/name' } },
    }
    expect(await faultsOf(schema, { a: 1 })).toEqual(['/a: expected string, got integer'])
    expect(await faultsOf({ ...schema, title: 'same id, other schema' }, { a: 1 })).toHaveLength(1)
  })

  test('may be of an older or of the newest draft', async () => {
    const old = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { a: { items: [{ type: 'string' }] } },
    }
    expect(await faultsOf(old, { a: [1] })).toEqual(['/a/0: expected string, got integer'])
    const unnamed = { properties: { a: { items: [{ type: 'string' }] } } }
    expect(await faultsOf(unnamed, { a: [1] })).toEqual(['/a/0: expected string, got integer'])
    const current = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { a: { prefixItems: [{ type: 'string' }] } },
    }
    expect(await faultsOf(current, { a: [1] })).toEqual(['/a/0: expected string, got integer'])
  })

  test.each([
    [
      'yaml/yaml',
      '.yaml',
      'config_schema: {properties: {n: {type: integer, maximum: 18446744073709551615}}}\n',
    ],
    [
      'python/ast',
      '.py',
      'CONFIG_SCHEMA = {"properties": {"n": {"type": "integer", "maximum": 0xFFFFFFFFFFFFFFFF}}}\n',
    ],
  ])('of %s may have a bound past 2^53', async (parser, extension, text) => {
    const { metadata } = await parseBytes(parser, new TextEncoder().encode(text), extension)
    expect(await validate(metadata.config_schema, { n: 5 })).toEqual({ n: 5 })
    expect(await faultsOf(metadata.config_schema!, { n: 1e30 })).toContain(
      '/n: expected at most 18446744073709552000',
    )
  })

  test('keeps digits that are data', async () => {
    const schema = { properties: { n: { default: { maximum: '18446744073709551615' } } } }
    expect(await validate(schema, {})).toEqual({ n: { maximum: '18446744073709551615' } })
  })

  test('cannot make the validator answer later', async () => {
    expect(await faultsOf({ $async: true, required: ['a'] }, {})).toEqual(['/a: required, but missing'])
  })

  test('fills in what is called as something that every object has', async () => {
    const property = { type: 'string', default: 'concrete' }
    const schema = { properties: { constructor: property, toString: property, valueOf: { type: 'string' } } }
    expect(await validate(schema, {})).toEqual({ constructor: 'concrete', toString: 'concrete' })
    expect(await validate(schema, { toString: 'b', valueOf: 'c' })).toEqual({
      constructor: 'concrete',
      toString: 'b',
      valueOf: 'c',
    })
    expect(await faultsOf({ properties: { constructor: { ...property, default: 1 } } }, {})).toEqual([
      expect.stringContaining("/constructor: the tool's default is wrong"),
    ])
  })

  test('with `__proto__` in it reaches no prototype', async () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"default": {"polluted": "yes"}}}}')
    await validate(schema, {})
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('patterns', () => {
  const schema = { properties: { name: { type: 'string', pattern: '^[a-z]+$' } } }

  test('are asked of the matcher, never run here', async () => {
    const asked: string[] = []
    const matcher: PatternMatcher = async (pattern, text) => {
      asked.push(`${pattern} ${text}`)
      return text === 'yes'
    }
    expect(await validate(schema, { name: 'yes' }, matcher)).toEqual({ name: 'yes' })
    expect(await faultsOf(schema, { name: 'no' }, matcher)).toEqual([
      '/name: expected text that matches `^[a-z]+$`',
    ])
    expect(asked).toEqual(['^[a-z]+$ yes', '^[a-z]+$ no'])
  })

  test.each([
    [{ anyOf: [{ properties: { a: { pattern: '^x' } } }, { required: ['b'] }] }, { a: 'y' }, false],
    [{ anyOf: [{ properties: { a: { pattern: '^x' } } }, { required: ['b'] }] }, { a: 'y', b: 1 }, true],
    [{ not: { properties: { a: { pattern: '^x' } } } }, { a: 'y' }, true],
    [{ not: { properties: { a: { pattern: '^x' } } } }, { a: 'x' }, false],
    [{ patternProperties: { '^n_': { type: 'integer' } }, additionalProperties: false }, { n_a: 1 }, true],
    [{ patternProperties: { '^n_': { type: 'integer' } }, additionalProperties: false }, { n_a: 'x' }, false],
    [{ patternProperties: { '^n_': { type: 'integer' } }, additionalProperties: false }, { other: 1 }, false],
    [{ propertyNames: { pattern: '^[a-z]$' } }, { ab: 1 }, false],
    [
      // From text: an object literal with `then` looks like a promise to the linter.
      JSON.parse(
        '{"if": {"properties": {"a": {"pattern": "^x"}}}, "then": {"properties": {"b": {"pattern": "^y"}}}, "else": {"properties": {"b": {"pattern": "^z"}}}}',
      ),
      { a: 'q', b: 'z' },
      true,
    ],
  ])('mean what they say inside %j', async (nested, parameters, isValid) => {
    const outcome = validate(nested as JsonValue, parameters as JsonObject, matches)
    if (isValid) expect(await outcome).toEqual(parameters)
    else expect((await failureOf(outcome)).code).toBe('PARAMETERS_INVALID')
  })

  test('that hang end the call with what the matcher says', async () => {
    const matcher: PatternMatcher = () => Promise.reject(new Error('over 100 ms'))
    await expect(validate(schema, { name: 'a' }, matcher)).rejects.toThrow('over 100 ms')
  })

  test('answers for one caller are not used for another', async () => {
    expect(await validate(schema, { name: 'a' }, async () => true)).toEqual({ name: 'a' })
    expect(await faultsOf(schema, { name: 'a' }, async () => false)).toHaveLength(1)
  })

  test('two callers at once do not disturb each other', async () => {
    const slow: PatternMatcher = async (_, text) => {
      await new Promise(resolve => setImmediate(resolve))
      return text === 'good'
    }
    const outcomes = await Promise.allSettled(
      ['good', 'bad', 'good', 'bad'].map(name => validate(schema, { name }, slow)),
    )
    expect(outcomes.map(outcome => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ])
  })

  test('one text in many places is one question', async () => {
    const list = Array.from({ length: 2000 }, () => 'same')
    const itemsSchema = { properties: { list: { items: { pattern: 's' } } } }
    expect(await validate(itemsSchema, { list }, matches)).toEqual({ list })
  })

  test('are bounded in number', async () => {
    const list = Array.from({ length: 2000 }, (_, index) => `item${index}`)
    const failure = await failureOf(
      validate({ properties: { list: { items: { pattern: 'x' } } } }, { list }, matches),
    )
    expect(failure.message).toContain('too many pattern checks')
  })
})

test('twenty faults are shown one by one, the others are counted', async () => {
  const shown = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `n${index}`)
    return (await failureOf(validate({ required: names }, {}))).message
  }
  expect((await shown(20)).split('; ')).toHaveLength(20)
  expect(await shown(20)).toMatch(/\/n19: required, but missing$/)
  expect(await shown(21)).toMatch(/\/n19: required, but missing; and 1 more$/)
})

test('a schema with anchors is a schema, although nobody matches the patterns of its own schema', async () => {
  const schema = {
    $defs: { count: { $anchor: 'count', type: 'integer' } },
    properties: { n: { $ref: '#count' } },
  }
  expect(await validate(schema, { n: 1 })).toEqual({ n: 1 })
  expect(await faultsOf(schema, { n: 'x' })).toEqual(['/n: expected integer, got string'])
})
