import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/base/json.ts'
import { readExtractor } from '../../src/extract/read-extractor.ts'
import type { ParsedItem } from '../../src/extract/types.ts'
import { validateItem } from '../../src/extract/validate-item.ts'

function check(rule: unknown, value: JsonValue | undefined, id = 'cat/egory/stem'): string[] {
  const { extractor, diagnostics } = readExtractor('tool', {
    version: '1.0.0',
    extensions: ['.yaml'],
    parser: 'yaml/yaml',
    signature_format: { prefix: '#' },
    validation_schema: { fields: { x: rule } },
  })
  expect(diagnostics).toEqual([])
  const item: ParsedItem = {
    type: 'tool',
    id,
    name: id.slice(id.lastIndexOf('/') + 1),
    extension: '.yaml',
    parser: 'yaml/yaml',
    metadata: Object.assign(Object.create(null), value === undefined ? {} : { x: value }),
    body: '',
    aside: '',
    diagnostics: [],
  }
  return validateItem(extractor!, item).map(issue => issue.message)
}

describe('validating a field', () => {
  it.each([[undefined], [null], [''], [[]]])('%j is missing', value => {
    expect(check({ required: true }, value)).toEqual(['Missing required field: x'])
    expect(check({ required: true, nullable: true }, value)).toEqual([])
    expect(check({ type: 'string' }, value)).toEqual([])
  })

  it.each([
    ['string', 1, 'a string, got number'],
    ['string', ['a'], 'a string, got array'],
    ['string', { a: 1 }, 'a string, got object'],
    ['string', true, 'a string, got boolean'],
    ['integer', 1.5, 'an integer, got number'],
    ['integer', true, 'an integer, got boolean'],
    ['integer', '1', 'an integer, got string'],
    ['number', '1', 'a number, got string'],
    ['boolean', 0, 'a boolean, got number'],
    ['object', ['a'], 'an object, got array'],
    ['array', { a: 1 }, 'an array, got object'],
  ])('a %s is not %j', (type, value, expected) => {
    expect(check({ type }, value)).toEqual([`Field 'x' must be ${expected}`])
  })

  it.each([
    ['string', 'a'],
    ['integer', 0],
    ['number', 1.5],
    ['boolean', false],
    ['object', { a: 1 }],
    ['array', [1]],
    ['semver', '10.20.30'],
  ])('a %s may be %j', (type, value) => {
    expect(check({ type, required: true }, value)).toEqual([])
  })

  it.each([
    ['1.0', "'1.0'"],
    [1, "'1'"],
    ['v1.0.0', "'v1.0.0'"],
    ['1.0.0-beta', "'1.0.0-beta'"],
    ['1.0.0\n', "'1.0.0\\u{a}'"],
  ])('semver is not %j', (value, shown) => {
    expect(check({ type: 'semver' }, value)).toEqual([
      `Field 'x' must be semver format (X.Y.Z), got ${shown}`,
    ])
  })

  it('matches the file name', () => {
    expect(check({ match_filename: true }, 'stem')).toEqual([])
    expect(check({ match_filename: true }, 'other')).toEqual(["Field 'x' must match filename 'stem'"])
  })

  it('matches the path, of which the root is the empty category', () => {
    const rule = { required: true, match_path: true }
    expect(check(rule, 'cat/egory')).toEqual([])
    expect(check(rule, 'cat')).toEqual(["Field 'x' must match path category 'cat/egory'"])
    expect(check(rule, '')).toEqual(["Field 'x' must match path category 'cat/egory'"])
    expect(check(rule, '', 'stem')).toEqual([])
    expect(check(rule, 'cat', 'stem')).toEqual(["Field 'x' must match path category ''"])
    expect(check(rule, null, 'stem')).toEqual(['Missing required field: x'])
  })

  it('wants snake case, values of an enum, and numbers in range', () => {
    expect(check({ format: 'snake_case' }, 'snake_case_2')).toEqual([])
    expect(check({ format: 'snake_case' }, 'kebab-case')).toEqual([
      "Field 'x' must be snake_case, got 'kebab-case'",
    ])
    expect(check({ type: 'enum', values: ['a', 2] }, 2)).toEqual([])
    expect(check({ type: 'enum', values: ['a', 2] }, '2')).toEqual([
      "Field 'x' must be one of 'a', '2', got '2'",
    ])
    expect(check({ type: 'integer', minimum: 1, maximum: 5 }, 0)).toEqual([
      "Field 'x' must be at least 1, got 0",
    ])
    expect(check({ type: 'integer', minimum: 1, maximum: 5 }, 6)).toEqual([
      "Field 'x' must be at most 5, got 6",
    ])
  })

  it('looks into elements and members', () => {
    const list = { type: 'array', item_type: 'object', item_required: ['name', 'type'] }
    expect(check(list, [{ name: 'a', type: 'string' }])).toEqual([])
    expect(check(list, [{ name: 'a', type: 'string' }, { name: '' }, 3])).toEqual([
      "Field 'x[1]' missing required key 'name'",
      "Field 'x[1]' missing required key 'type'",
      "Field 'x[2]' must be an object, got number",
      "Field 'x[2]' missing required key 'name'",
      "Field 'x[2]' missing required key 'type'",
    ])
    const nested = {
      type: 'object',
      nested: { turns: { required: true, type: 'integer' }, toString: { required: true } },
    }
    expect(check(nested, { turns: 'many' })).toEqual([
      "Field 'x.turns' must be an integer, got string",
      'Missing required field: x.toString',
    ])
  })

  it('gives all issues of a field at once', () => {
    expect(check({ format: 'snake_case', match_filename: true, match_path: true }, 'A-b')).toHaveLength(3)
  })
})
