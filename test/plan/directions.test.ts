// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { fillDirections, inputSchema, interpolate } from '../../src/plan/directions.ts'

const INPUTS = [
  { name: 'site', type: 'string', required: true },
  { name: 'port', type: 'integer', required: 'true' },
  { name: 'ratio', type: 'number' },
  { name: 'fast', type: 'boolean', default: 'false' },
  { name: 'tags', type: 'array', default: '["a"]' },
  { name: 'options', type: 'object' },
  { name: 'retries', type: 'integer', default: '3' },
  { name: 'anything', type: 'mystery' },
]

function fill(given: JsonObject, body = '', inputs: JsonValue = INPUTS) {
  return fillDirections({ inputs }, body, given)
}

test('of very many inputs an error lists some, and says where all are', () => {
  const inputs = Array.from({ length: 1000 }, (_, index) => ({ name: `in${index}`, required: true }))
  const thrown = (given: JsonObject) => {
    try {
      return fill(given, '', inputs)
    } catch (error) {
      return error
    }
  }
  expect(thrown({ nope: 1 })).toMatchObject({
    code: 'PARAMETERS_INVALID',
    message: expect.stringMatching(
      /^Unknown parameters: nope\. Valid inputs: in0, .*, in49 and 950 more; Missing required inputs: in0, .*, in49 and 950 more$/,
    ),
    hint: { agent: '`load` of the directive with `view: "summary"` says what it takes' },
    details: {},
  })
})

test('a long input that the text names often is refused before it fills the memory', async () => {
  const body = '{input:site} '.repeat(20_000)
  const given = { site: 'x'.repeat(100_000), port: 80 }
  expect(() => fill(given, body)).toThrow(
    'the directions are too long with these inputs: expected at most 8000000 characters, got more',
  )
  expect(fill({ site: 'x', port: 80 }, body).your_directions).toHaveLength(40_000)
})

describe('inputs', () => {
  test('get defaults of their type', () => {
    expect(fill({ site: 'x', port: 80 }).inputs).toEqual({
      site: 'x',
      port: 80,
      fast: false,
      tags: ['a'],
      retries: 3,
    })
  })

  test('that are not declared as such are none', () => {
    const odd = ['site', 7, null, {}, { name: 7 }, { type: 'string', required: true }]
    expect(fill({}, '', odd).inputs).toEqual({})
    expect(inputSchema({ inputs: odd })).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
    expect(inputSchema({ inputs: [...odd, { name: 'a', type: 'str' }] }).properties).toEqual({
      a: { type: 'string' },
    })
  })

  test('a falsy value is a value', () => {
    expect(fill({ site: '', port: 0, retries: 0, fast: true }).inputs).toMatchObject({
      site: '',
      port: 0,
      retries: 0,
      fast: true,
    })
  })

  test.each([
    [
      { site: 'x', port: 80, sight: 1, b: 2 },
      'Unknown parameters: sight, b. Valid inputs: site, port, ratio, fast, tags, options, retries, anything',
    ],
    [{}, 'Missing required inputs: site, port'],
    [{ site: 'x' }, 'Missing required inputs: port'],
    [{ site: 5, port: 80 }, '/site: expected string, got integer'],
    [{ site: 'x', port: '80' }, '/port: expected integer, got string'],
    [{ site: 'x', port: 8.5 }, '/port: expected integer, got number'],
    [
      { site: 'x', port: 2 ** 53 },
      '/port: expected a whole number from -9007199254740991 to 9007199254740991, got one beyond, which cannot be kept exactly',
    ],
    [
      { site: 'x', port: 80, options: { most: [Number.POSITIVE_INFINITY] } },
      '/options/most/0: expected a number below 1.8e308, got a number that is too large to keep',
    ],
    [{ site: 'x', port: 80, fast: 'true' }, '/fast: expected boolean, got string'],
    [{ site: 'x', port: 80, tags: {} }, '/tags: expected array, got object'],
    [{ site: 'x', port: 80, options: [] }, '/options: expected object, got array'],
    [{ site: null, port: 80 }, '/site: expected string, got null'],
    [
      { constructor: 1, site: 'x', port: 1 },
      'Unknown parameters: constructor. Valid inputs: site, port, ratio, fast, tags, options, retries, anything',
    ],
    [
      { port: 'x', b: 1 },
      'Unknown parameters: b. Valid inputs: site, port, ratio, fast, tags, options, retries, anything; /port: expected integer, got string; Missing required inputs: site',
    ],
  ])('%j: %s', (given, message) => {
    expect(() => fill(given as JsonObject)).toThrow(
      expect.objectContaining({ code: 'PARAMETERS_INVALID', message }),
    )
  })

  test('a whole number is a number, and a type nobody knows takes anything', () => {
    expect(fill({ site: 'x', port: 1, ratio: 2, anything: [1] }).inputs).toMatchObject({
      ratio: 2,
      anything: [1],
    })
  })

  test.each([[undefined], [null], ['text'], [[]]])('a directive that declares %j takes none', inputs => {
    expect(() => fillDirections(inputs === undefined ? {} : { inputs }, '', { a: 1 })).toThrow(
      'Unknown parameters: a. This directive takes no inputs',
    )
    expect(fillDirections(inputs === undefined ? {} : { inputs }, 'body', {})).toEqual({
      inputs: {},
      your_directions: 'body',
    })
  })

  test('a default that does not fit its type is an error', () => {
    expect(() => fill({}, '', [{ name: 'n', type: 'integer', default: 'many' }])).toThrow(
      'parameter `n`: expected integer',
    )
  })

  test('a default that no number can be is rounded, and of another type is told as the default', () => {
    const long = { name: 'n', type: 'number', default: '12345678901234567890' }
    expect(fill({}, '{input:n}', [long]).inputs).toEqual({ n: Number(long.default) })
    expect(() => fill({}, '', [{ ...long, type: 'integer' }])).toThrow('the default of parameter `n`')
  })

  test('are a schema for the command line', () => {
    expect(inputSchema({ inputs: [{ name: 'n', type: 'int' }, { name: 'x' }] })).toEqual({
      type: 'object',
      properties: { n: { type: 'integer' }, x: {} },
      additionalProperties: false,
    })
  })
})

describe('interpolation', () => {
  test.each([
    ['{input:a}', 'A'],
    ['{input:a?}', 'A'],
    ['{input:a:other}', 'A'],
    ['{input:a|other}', 'A'],
    ['{input:gone}', '{input:gone}'],
    ['[{input:gone?}]', '[]'],
    ['{input:gone:other}', 'other'],
    ['{input:gone|other text: x}', 'other text: x'],
    ['{input:gone:}', ''],
    ['{input:n} {input:yes} {input:list} {input:none}', '3 true [1,"x"] null'],
    ['{input:}{input:a b}{input:a', '{input:}{input:a b}{input:a'],
    ['{input:{input:a}', '{input:A'],
    ['{input:__proto__} {input:constructor?}', '{input:__proto__} '],
    ['${input:a} {other:a}', '$A {other:a}'],
    ['{input:a-b}', 'dash'],
  ])('%s gives %s', (text, expected) => {
    expect(interpolate(text, { a: 'A', n: 3, yes: true, list: [1, 'x'], none: null, 'a-b': 'dash' })).toBe(
      expected,
    )
  })

  test('what is inserted is not expanded again', () => {
    expect(fill({ site: '{input:port} {input:site}', port: 1 }, '<{input:site}>').your_directions).toBe(
      '<{input:port} {input:site}>',
    )
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(interpolate('{input:a}|{input:b}', { a, b })).toBe(`${a}|${b}`)
      }),
    )
  })

  test('a long text of openings is read in linear time', () => {
    const text = '{input:a '.repeat(100_000)
    expect(interpolate(text, { a: 'x' })).toBe(text)
    expect(interpolate(`${text}}`, { a: 'x' })).toBe(`${text}}`)
  })
})
