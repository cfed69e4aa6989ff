import { describe, expect, test } from 'vitest'
import { readFields } from '../../src/query/fields.ts'
import { parseQuery } from '../../src/query/parse-query.ts'
import { outline } from './query-arbitraries.ts'

test.each([undefined, null, {}])('%j asks for no field', value => {
  expect(readFields(value).size).toBe(0)
})

test('each field has a query of its own', () => {
  const queries = readFields({ category: 'core', title: '"read file" OR write*' })
  expect([...queries].map(([field, query]) => [field, outline(query)])).toEqual([
    ['category', 'core'],
    ['title', '(or "read file" ~write*~)'],
  ])
})

test('several queries of one field are joined, each as it is alone', () => {
  const all = ['read OR write', 'a b', 'x AND y', '']
  expect(outline(readFields({ title: { all } }).get('title')!)).toBe(
    outline(parseQuery('(read OR write) AND a b AND (x AND y) AND *')),
  )
  expect(outline(readFields({ title: { all: ['a OR b'] } }).get('title')!)).toBe(
    outline(parseQuery('a OR b')),
  )
})

describe('fields are refused', () => {
  test.each([
    [
      { title: { all: [] } },
      'INVALID_INPUT',
      'expected the query of field `title` to be text, got an object',
    ],
    [
      { title: { all: ['a', 5] } },
      'INVALID_INPUT',
      'expected the query of field `title` to be text, got a number',
    ],
    // Two texts that would only parse when put together.
    [{ title: { all: ['a) OR (b', 'c'] } }, 'QUERY_SYNTAX', 'field `title`: expected an operator'],
    [
      { title: { all: ['a '.repeat(100), 'b '.repeat(100)] } },
      'QUERY_SYNTAX',
      'field `title`: expected at most 128 words',
    ],
    ['title', 'INVALID_INPUT', 'expected `fields` to be an object'],
    [['title'], 'INVALID_INPUT', 'expected `fields` to be an object'],
    [{ titel: 'x' }, 'INVALID_INPUT', 'unknown search field `titel`: expected one of title, name,'],
    [JSON.parse('{"__proto__": "x"}'), 'INVALID_INPUT', 'unknown search field `__proto__`'],
    [{ title: 5 }, 'INVALID_INPUT', 'expected the query of field `title` to be text, got a number'],
    [{ title: 'a AND' }, 'QUERY_SYNTAX', 'field `title`: expected a word, a phrase or a group at offset 5'],
  ])('%j', (value, code, message) => {
    expect(() => readFields(value)).toThrow(expect.objectContaining({ code }))
    expect(() => readFields(value)).toThrow(message)
  })

  test('with the field that was probably meant', () => {
    expect(() => readFields({ titl: 'x' })).toThrow(
      expect.objectContaining({ hint: 'did you mean `title`?' }),
    )
  })

  test('with the offset of a slip and the field it is in', () => {
    expect(() => readFields({ name: '(a' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ offset: 2, field: 'name' }) }),
    )
  })
})
