import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import { convertParameter } from '../../../src/plan/parameters/convert-parameter.ts'

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
