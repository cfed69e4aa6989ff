import { describe, expect, test } from 'vitest'
import { QUERY_LIMITS } from '../../src/query/parse-query.ts'
import { readQuery } from '../../src/query/read-query.ts'
import type { Query } from '../../src/query/types.ts'
import { outline } from './query-arbitraries.ts'

test('a query that parses has no warning', () => {
  expect(readQuery('a AND (b OR c)')).toEqual({ query: expect.objectContaining({ kind: 'and' }) })
})

describe('a query that does not parse', () => {
  test.each([
    ['how do I use foo( in python', '(words how do I use foo in python)'],
    ['tell the satellite to send "feed the cat', '(words tell the satellite to send feed the cat)'],
    ['what does AND OR mean in a query', '(words what does and or mean in a query)'],
    ['which files match foo* and ) bar', '(words which files match foo and bar)'],
    ['a - b - c - d - e (', '(words a b c d e)'],
    ['怎么用 foo( 函数来处理', '(words 怎么用 foo 函数来处理)'],
    ['他说"你好，请问怎么回滚', '(words 他说 你好，请问怎么回滚)'],
  ])('and has five words is read as plain words: %j', (text, expected) => {
    const { query, warning } = readQuery(text)
    expect(outline(query)).toBe(expected)
    expect(warning).toMatch(
      /^the query does not parse, so its words are searched for: expected .* at offset \d+, got /,
    )
  })

  test.each([
    'how to use foo(',
    'a AND (b OR c',
    'a AND b AND (c OR d',
    '? ? ? ? ? ?',
    '"',
    '(((((((',
    'a'.repeat(5000),
  ])('and has fewer is an error: %j', text => {
    expect(() => readQuery(text)).toThrow(expect.objectContaining({ code: 'QUERY_SYNTAX' }))
  })
})

describe('a hostile query', () => {
  test('of ten thousand words is cut, and says so', () => {
    const { query, warning } = readQuery(Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(' '))
    expect(wordsOf(query)).toHaveLength(QUERY_LIMITS.terms)
    expect(wordsOf(query).at(-1)).toBe(`w${QUERY_LIMITS.terms - 1}`)
    expect(warning).toContain(`the first ${QUERY_LIMITS.terms} words are searched for`)
  })

  test('is never cut inside a word', () => {
    const word = 'x'.repeat(99)
    const { query } = readQuery(`${word} `.repeat(1000))
    expect(wordsOf(query)).toEqual(Array.from({ length: 40 }, () => word))
  })

  test('of a page without spaces is cut anywhere', () => {
    const { query, warning } = readQuery('回滚发布'.repeat(2000))
    expect(wordsOf(query)).toEqual(['回滚发布'.repeat(1024)])
    expect(warning).toContain('the first 1 words')
  })

  test('of a page of blanks after its words keeps them all', () => {
    expect(wordsOf(readQuery(`a b c d e${' '.repeat(5000)}`).query)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test.each([
    ['one megabyte of one word', 'a'.repeat(1 << 20)],
    ['one megabyte of brackets', '('.repeat(1 << 20)],
    ['one megabyte of quotes', '"'.repeat((1 << 20) + 1)],
    ['one megabyte of stars', '*'.repeat(1 << 20)],
    ['one megabyte of NULs', '\u0000'.repeat(1 << 20)],
    ['one megabyte of lone surrogates', '\ud800'.repeat(1 << 20)],
    ['a thousand groups', `${'('.repeat(1000)}a${')'.repeat(1000)}`],
    ['a thousand NOTs', 'NOT '.repeat(1000)],
  ])('of %s is a clear error', (_, text) => {
    expect(() => readQuery(text)).toThrow(expect.objectContaining({ code: 'QUERY_SYNTAX' }))
  })
})

function wordsOf(query: Query): string[] {
  if (query.kind !== 'words') throw new Error(`expected words, got ${query.kind}`)
  return query.children.map(outline)
}

describe('quotes of code', () => {
  test.each([
    ['{"message": "email of invoice failed"}', '(words message email of invoice failed)'],
    ['KeyError("no such release") in deploy', '(words KeyError no such release in deploy)'],
    ['open(path="the log file")', '(words open path= the log file)'],
    ['["rename photo", "crop photo"]', '(words rename photo crop photo)'],
    ['{"error": "certificate NOT valid"} on the host', '(words error certificate not valid on the host)'],
  ])('hold words, not phrases: %j', (text, expected) => {
    const { query, warning } = readQuery(text)
    expect(outline(query)).toBe(expected)
    expect(warning).toBeUndefined()
  })

  test.each([
    '"file system" cleanup',
    'search for: "file system"',
    'read ("file system")',
    'find "file system", please',
    '("file system" OR "disk drive")',
    'name:("file system" OR disk)',
  ])('are not those of a phrase: %j', text => {
    const { query, warning } = readQuery(text)
    expect(outline(query)).toContain('"file system"')
    expect(warning).toBeUndefined()
  })

  test.each(['":a file"', '"a list ["', '"a path ="', '(":a file" OR "{ b")'])(
    'may stand beside marks: %j',
    text => {
      expect(outline(readQuery(text).query)).toContain('"')
    },
  )
})
