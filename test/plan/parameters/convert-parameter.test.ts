import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { convertParameter, readParameter } from '../../../src/plan/parameters/convert-parameter.ts'
import { ParameterSchemas } from '../../../src/plan/parameters/parameters.ts'

function convert(type: JsonValue, text: string): JsonValue {
  return convertParameter({ type: 'object', properties: { p: { type } } }, 'p', text)
}

test.each([
  ['string', '5', '5'],
  ['string', 'true', 'true'],
  ['integer', '-5', -5],
  ['number', '2.5', 2.5],
  ['number', '1e3', 1000],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['array', '[1,"a"]', [1, 'a']],
  ['object', '{"a":null}', { a: null }],
  ['null', 'null', null],
  [['string', 'null'], 'null', null],
  [['string', 'null'], 'nothing', 'nothing'],
  [['string', 'integer'], '5', 5],
  [['string', 'integer'], 'five', 'five'],
  [['string', 'integer'], '007', '007'],
  [['string', 'number'], '-0.5', -0.5],
  ['integer', '007', 7],
])('as %j, the text %s is %j', (type, text, value) => {
  expect(convert(type, text)).toEqual(value)
})

test.each([
  ['integer', '5.5'],
  ['integer', '99999999999999999999'],
  ['integer', ''],
  ['integer', '0x10'],
  ['number', 'NaN'],
  ['number', '1e999'],
  ['number', '9007199254740993'],
  ['boolean', 'yes'],
  ['boolean', 'constructor'],
  ['array', '{"a":1}'],
  ['array', 'a,b'],
  ['object', '[1]'],
  ['object', '{'],
])('as %s, the text `%s` is refused', (type, text) => {
  expect(() => convert(type, text)).toThrow(`parameter \`p\`: expected ${type}, got \`${text}\``)
})

test.each([
  [undefined],
  [null],
  [{}],
  [{ properties: { other: { type: 'integer' } } }],
  [{ properties: { p: {} } }],
  [{ properties: { p: { type: 'strange' } } }],
])('under the schema %j it stays text', schema => {
  expect(convertParameter(schema as JsonValue | undefined, 'p', '5')).toBe('5')
})

test('an inherited name is no property', () => {
  expect(convertParameter({ properties: {} }, 'toString', '5')).toBe('5')
})

const RANGE = 'a whole number from -9007199254740991 to 9007199254740991'

test.each([
  ['integer', '9007199254740992', `, which cannot be kept exactly: expected ${RANGE}`],
  ['integer', '-9007199254740993', `, which cannot be kept exactly: expected ${RANGE}`],
  ['number', '9007199254740993', `, which cannot be kept exactly: expected ${RANGE}`],
  ['integer', '1e400', ', which is a number that is too large to keep'],
  ['number', '-1e400', ', which is a number that is too large to keep'],
  ['integer', '5.5', ''],
  ['integer', 'many', ''],
])('as %s, the text %s is refused with the reason', (type, text, reason) => {
  expect(() => convert(type, text)).toThrow(
    new RegExp(`^parameter \`p\`: expected ${type}, got \`${text}\`${reason}$`),
  )
})

test('a number that cannot be kept is text where text is taken', () => {
  for (const text of ['9007199254740993', '1e400']) expect(convert(['integer', 'string'], text)).toBe(text)
  expect(convert('number', '18446744073709551616')).toBe(2 ** 64)
  expect(convert('integer', '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
})

const DEFS = {
  count: { type: 'integer' },
  maybe: { anyOf: [{ $ref: '#/$defs/count' }, { type: 'null' }] },
  loop: { anyOf: [{ $ref: '#/$defs/loop' }, { type: 'integer' }] },
  endless: { $ref: '#/$defs/endless' },
}

function convertBy(p: JsonValue, text: string): JsonValue {
  return convertParameter({ type: 'object', properties: { p }, $defs: DEFS }, 'p', text)
}

test.each<[JsonValue, string, JsonValue]>([
  [{ $ref: '#/$defs/count' }, '5', 5],
  [{ $ref: '#/$defs/maybe' }, '5', 5],
  [{ $ref: '#/$defs/maybe' }, 'null', null],
  [{ description: 'how many', allOf: [{ $ref: '#/$defs/count' }] }, '5', 5],
  [{ oneOf: [{ type: 'boolean' }, { type: 'array' }] }, '[true]', [true]],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '007', '007'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, '1.10', '1.10'],
  [{ oneOf: [{ const: '1' }, { const: 2 }] }, '1', '1'],
  [{ enum: ['1', '2', 3] }, '1', '1'],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'five', 'five'],
  [{ anyOf: [{ const: 'auto' }, { type: 'number', minimum: 0 }] }, 'auto', 'auto'],
  [{ anyOf: [{ const: 'auto' }, { type: 'number', minimum: 0 }] }, '2.5', '2.5'],
  [{ anyOf: [{ type: 'null' }, { type: 'number', minimum: 0 }] }, '2.5', 2.5],
  [{ type: 'integer', enum: ['1', '2'] }, '2', 2],
  [{ enum: [1, 2] }, '2', 2],
  [{ enum: ['1', '2'] }, '2', '2'],
  [{ type: ['string', 'integer'], enum: ['1', '2'] }, '2', '2'],
  [{ type: 'string', anyOf: [{ type: 'integer' }, { minLength: 1 }] }, '5', '5'],
])('by the schema %j, the text %s is %j', (schema, text, value) => {
  expect(convertBy(schema, text)).toEqual(value)
})

test.each<[JsonValue]>([
  [{ $ref: '#/$defs/nowhere' }],
  [{ $ref: 'https://example.org/count.json' }],
  [{ $ref: '#/$defs/endless' }],
  [{ $ref: '#/$defs/loop' }],
  [{ anyOf: [{ type: 'integer' }, { minimum: 1 }] }],
  [{ anyOf: [] }],
  [{ anyOf: 'integer' }],
])('by the schema %j, which does not say, it stays text', schema => {
  expect(convertBy(schema, '5')).toBe('5')
})

test('what fits none of the forms is left to the validator, unless it is a number that cannot be kept', () => {
  expect(convertBy({ $ref: '#/$defs/maybe' }, 'many')).toBe('many')
  expect(convertBy({ enum: [1, 2] }, 'high')).toBe('high')
  expect(() => convertBy({ $ref: '#/$defs/maybe' }, '9007199254740993')).toThrow(
    'parameter `p`: expected null or integer, got `9007199254740993`, which cannot be kept exactly',
  )
})

test('words that are no types cost nothing, however many alternatives name them', () => {
  const words = Array.from({ length: 9900 }, (_, at) => `t${at}`)
  const anyOf = Array.from({ length: 4900 }, () => ({ $ref: '#/$defs/words' }))
  const schema = { properties: { p: { anyOf } }, $defs: { words: { type: [...words, 'integer'] } } }
  expect(convertParameter(schema, 'p', '5')).toBe(5)
})

test('parameters that are declared behind a reference are converted, too', () => {
  const schema = { $ref: '#/$defs/all', $defs: { all: { properties: { p: { type: 'integer' } } } } }
  expect(convertParameter(schema, 'p', '5')).toBe(5)
  expect(convertParameter(schema, 'toString', '5')).toBe('5')
})

test('references that double with each step, and a long row of them, end at once', () => {
  const $defs: Record<string, JsonValue> = { d0: { type: 'integer' } }
  for (let at = 1; at <= 5000; at++) {
    const $ref = `#/$defs/d${at - 1}`
    $defs[`d${at}`] = { anyOf: [{ $ref }, { $ref }] }
  }
  const convertAt = (at: number) =>
    convertParameter({ properties: { p: { $ref: `#/$defs/d${at}` } }, $defs }, 'p', '5')
  expect(convertAt(40)).toBe(5)
  expect(convertAt(5000)).toBe('5')
})

test.each([
  [[1, 'auto'], '1', 1],
  [[1, 'auto'], 'auto', 'auto'],
  [[1.5, '2', null, false], '1.5', 1.5],
  [[1.5, '2', null, false], '2', '2'],
  [[1.5, '2', null, false], 'null', null],
  [[1.5, '2', null, false], 'false', false],
])('one of %j, `%s` is %j', (values, text, value) => {
  const schema = {
    properties: { p: { enum: values }, q: { $ref: '#/$defs/q' } },
    $defs: { q: { enum: values } },
  }
  expect(convertParameter(schema, 'p', text)).toBe(value)
  expect(convertParameter(schema, 'q', text)).toBe(value)
})

test('a word that may be a number or a text of the list is neither', () => {
  const by = (p: JsonValue) => convertParameter({ properties: { p } }, 'p', '1')
  expect(() => by({ enum: [1, '1', 'auto'] })).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: 'parameter `p`: `1` may be 1 or "1"',
      hint: 'say which as JSON: `--params \'{"p":1}\'`',
    }),
  )
  expect(by({ enum: [1, '1'], type: 'integer' })).toBe(1)
})

const context = {
  schemas: new ParameterSchemas(),
  matchesPattern: async (pattern: string, text: string) => new RegExp(pattern, 'u').test(text),
}

function readBy(p: JsonValue, text: string): Promise<JsonValue> {
  return readParameter({ properties: { p }, required: ['p', 'q'], $defs: DEFS }, 'p', text, context)
}

const COUNT_OR_AUTO = { anyOf: [{ type: 'integer' }, { enum: ['auto'] }] }

test.each<[JsonValue, string, JsonValue]>([
  [COUNT_OR_AUTO, '5', 5],
  [COUNT_OR_AUTO, 'auto', 'auto'],
  [COUNT_OR_AUTO, 'many', 'many'],
  [COUNT_OR_AUTO, '5.5', '5.5'],
  [{ oneOf: [{ const: 'auto' }, { type: 'number', minimum: 0 }] }, '2.5', 2.5],
  [{ oneOf: [{ const: 'auto' }, { type: 'number', minimum: 0 }] }, '-2.5', '-2.5'],
  [{ anyOf: [{ $ref: '#/$defs/count' }, { type: 'string', pattern: '^auto$' }] }, '5', 5],
  [{ anyOf: [{ type: 'boolean' }, { type: 'string', minLength: 5 }] }, 'true', true],
  [{ anyOf: [{ type: 'boolean' }, { type: 'string', minLength: 5 }] }, 'false', 'false'],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '007', '007'],
  [{ type: ['integer', 'string'] }, '5', 5],
  [{ type: ['integer', 'string'], maximum: 4 }, '5', '5'],
  [{ not: { type: 'string' } }, '[5]', [5]],
  [{ not: { type: 'string' } }, 'five', 'five'],
  [{}, '5', '5'],
  [{ $ref: '#/$defs/nowhere' }, '5', '5'],
])('by the schema %j, the text %s is read as %j', async (schema, text, value) => {
  expect(await readBy(schema, text)).toEqual(value)
})

test.each([
  ['another parameter', '#/properties/q'],
  ['another part of the schema', '#/kinds/code'],
])('a reference to %s is followed', async (_, $ref) => {
  const code: JsonObject = { anyOf: [{ type: 'string', pattern: '^x' }, { type: 'integer' }] }
  const schema = { properties: { p: { $ref }, q: code }, kinds: { code }, required: ['q'], minProperties: 2 }
  expect(await readParameter(schema, 'p', '5', context)).toBe(5)
  expect(await readParameter(schema, 'p', 'x5', context)).toBe('x5')
})

test('what is read is valid wherever any reading is', async () => {
  const TYPES = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string']
  const texts = ['5', '-3', '2.5', 'true', 'null', 'auto', '', '[1]', '{"a":1}']
  // One of a kind: a list that has both `5` and `"5"` is refused.
  const values = [5, '2.5', 'auto', true, null, '']
  const limit = fc.constantFrom<JsonObject>({}, { minimum: 0 }, { minLength: 2 }, { pattern: '^a' })
  const typed = fc.tuple(fc.constantFrom(...TYPES), limit).map(([type, more]) => ({ type, ...more }))
  const listed = fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }).map(list => ({ enum: list }))
  const leaf = fc.oneof<fc.Arbitrary<JsonObject>[]>(typed, listed, limit)
  const parts = fc.array(leaf, { minLength: 1, maxLength: 3 })
  const joined = fc
    .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), parts)
    .map(([word, list]): JsonObject => ({ [word]: list }))
  const isValid = (p: JsonObject, value: JsonValue) =>
    context.schemas.validate('t', { properties: { p } }, { p: value }, context.matchesPattern).then(
      () => true,
      () => false,
    )
  await fc.assert(
    fc.asyncProperty(fc.oneof(leaf, joined), fc.constantFrom(...texts), async (p, text) => {
      const json = await Promise.resolve(text)
        .then(JSON.parse)
        .catch(() => text)
      if (!(await isValid(p, text)) && !(await isValid(p, json))) return
      expect(await isValid(p, await readParameter({ properties: { p } }, 'p', text, context))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a text for a list is refused with the list that it could be', () => {
  const schema = { type: 'object', properties: { args: { type: 'array' }, n: { type: 'integer' } } }
  const refused = (name: string, text: string) => {
    try {
      return convertParameter(schema, name, text)
    } catch (thrown) {
      return (thrown as { hint: unknown }).hint
    }
  }
  expect(refused('args', "it's")).toBe(`a list is JSON: \`--param 'args=["it'\\''s"]'\``)
  expect(refused('n', 'x')).toBeUndefined()
})
