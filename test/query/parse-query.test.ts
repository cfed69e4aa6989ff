import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/base/app-error.ts'
import { hasOperator, parseQuery } from '../../src/query/parse-query.ts'
import { printQuery } from '../../src/query/print-query.ts'
import type { Query } from '../../src/query/types.ts'
import { canonicalQuery, outline } from './query-arbitraries.ts'

describe('what a query means', () => {
  // The right column is the tree: (and ...), (or ...), (words ...), (not x), "phrase", ~wildcard~, * for everything.
  test.each([
    ['', '*'],
    ['  \t\n ', '*'],
    ['*', '*'],
    ['***', '*'],
    ['*.*', '*'],
    ['file', 'file'],
    ['file system', '(words file system)'],
    ['file AND system', '(and file system)'],
    ['file OR directory', '(or file directory)'],
    ['file NOT temporary', '(words file (not temporary))'],
    ['(file OR dir) AND read', '(and (or file dir) read)'],
    ['a (b OR c)', '(words a (or b c))'],
    ['(a OR b) c', '(words (or a b) c)'],
    ['a b OR c', '(or (words a b) c)'],
    ['a OR b c', '(or a (words b c))'],
    ['a AND b OR c AND d', '(or (and a b) (and c d))'],
    ['a b AND c', '(and (words a b) c)'],
    ['NOT a b', '(words (not a) b)'],
    ['NOT (a b)', '(not (words a b))'],
    ['NOT NOT a', '(not (not a))'],
    ['a AND NOT b', '(and a (not b))'],
    ['a OR NOT b', '(or a (not b))'],
    ['((a))', 'a'],
    ['a AND (b AND c)', '(and a (and b c))'],
    ['(a b) c', '(words (words a b) c)'],
    ['a AND(b)', '(and a b)'],
    ['NOT"a b"', '(not "a b")'],
    ['"file system"', '"file system"'],
    ['"file\n  system "', '"file system"'],
    ['x"y"z', '(words x "y" z)'],
    ['"AND"', '"AND"'],
    ['"a*"', '"a*"'],
    ['file*', '~file*~'],
    ['*search', '~*search~'],
    ['*thread*', '~*thread*~'],
    ['wild*card', '~wild*card~'],
    ['***a*b*c***', '~*a*b*c*~'],
    ['a *', '(words a *)'],
    ['NOT *', '(not *)'],
    ['and or not', '(words and or not)'],
    ['And Or Not', '(words And Or Not)'],
    ['ANDROID ORDER NOTE', '(words ANDROID ORDER NOTE)'],
    ['title:foo', 'title:foo'],
    ['rye/file-system/write', 'rye/file-system/write'],
    ['a - b', '(words a b)'],
    ['a ? "" b', '(words a b)'],
    ["don't", "don't"],
    ['c++', 'c++'],
    ['日本語 検索', '(words 日本語 検索)'],
    ['a\u0000b\u0007c', '(words a b c)'],
    ['a\ud800b', '(words a b)'],
    ['"a\u0000\udc00b"', '"a b"'],
    ['NEAR(a b) : col^2', '(words NEAR (words a b) col^2)'],
  ])('%j is %s', (text, expected) => {
    expect(outline(parseQuery(text))).toBe(expected)
  })

  test('every part knows where it stands in the text', () => {
    const query = parseQuery(' ab AND (c* OR "d e")')
    expect(query).toMatchObject({ kind: 'and', span: { start: 1, end: 20 } })
    expect(leaves(query).map(leaf => leaf.span)).toEqual([
      { start: 1, end: 3 },
      { start: 9, end: 11 },
      { start: 15, end: 20 },
    ])
  })
})

describe('a slip', () => {
  test.each([
    ['(a', 2, '`)`', ' to close the group opened at offset 0, got the end'],
    ['a AND (b OR c', 13, '`)`', ' to close the group opened at offset 6, got the end'],
    ['a)', 1, 'an operator, a word or the end', ', got `)`'],
    [')', 0, 'a word, a phrase or a group', ', got `)`'],
    ['()', 1, 'a word, a phrase or a group', ', got `)`'],
    ['a ( )', 4, 'a word, a phrase or a group', ', got `)`'],
    ['"abc', 4, '`"`', ' to close the phrase opened at offset 0, got the end'],
    ['a "', 3, '`"`', ' to close the phrase opened at offset 2, got the end'],
    ['AND a', 0, 'a word, a phrase or a group', ', got `AND`'],
    ['a OR', 4, 'a word, a phrase or a group', ', got the end'],
    ['NOT', 3, 'a word, a phrase or a group', ', got the end'],
    ['a AND OR b', 6, 'a word, a phrase or a group', ', got `OR`'],
    ['(a AND)', 6, 'a word, a phrase or a group', ', got `)`'],
    ['a AND -', 7, 'a word, a phrase or a group', ', got the end'],
    ['???', 3, 'a word, a phrase or a group', ', got the end'],
    ['""', 2, 'a word, a phrase or a group', ', got the end'],
    ['\u0000', 1, 'a word, a phrase or a group', ', got the end'],
  ])('in %j is reported at offset %i', (text, offset, expected, rest) => {
    const error = slipOf(text)
    expect(error.code).toBe('QUERY_SYNTAX')
    expect(error.details).toMatchObject({ offset, expected: expect.stringContaining(expected) })
    expect(error.message).toContain(expected)
    expect(error.message).toContain(`at offset ${offset}${rest}`)
    expect(error.message).not.toContain('\n')
    expect(error.hint).toContain('AND, OR, NOT')
  })

  test.each([
    ['too long', 'a'.repeat(4097), 4096],
    ['of one megabyte', 'word '.repeat(200_000), 4096],
    ['of too many words', 'a '.repeat(129), 256],
    ['of a phrase with too many words', `"${'a '.repeat(129)}"`, 0],
    ['of groups that are too deep', `${'('.repeat(17)}a${')'.repeat(17)}`, 16],
    ['of a thousand groups', `${'('.repeat(1000)}a${')'.repeat(1000)}`, 16],
    ['of too many NOTs', `${'NOT '.repeat(17)}a`, 64],
    ['of a thousand NOTs and groups', 'NOT ('.repeat(800), 40],
  ])('%s is one too', (_, text, offset) => {
    expect(slipOf(text).details).toMatchObject({ offset })
  })

  test('is not made by a query at the limits', () => {
    expect(parseQuery('a'.repeat(4096))).toMatchObject({ kind: 'term' })
    expect(parseQuery('a '.repeat(128))).toMatchObject({ kind: 'words' })
    expect(outline(parseQuery(`${'('.repeat(16)}a${')'.repeat(16)}`))).toBe('a')
    expect(parseQuery(`${'NOT '.repeat(16)}a`)).toMatchObject({ kind: 'not' })
  })
})

describe('laws', () => {
  test('printing and parsing gives the tree back', () => {
    fc.assert(
      fc.property(canonicalQuery, query => {
        expect(outline(parseQuery(printQuery(query)))).toBe(outline(query))
      }),
      { numRuns: 500 },
    )
  })

  test('whatever parses prints to a text that means the same; whatever does not is a slip inside the text', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '"',
      '*',
      ' ',
      'AND ',
      'OR ',
      'NOT ',
      'a',
      'b',
      '-',
      ':',
      '\u0000',
      '\ud800',
      'é',
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    )
    fc.assert(
      fc.property(text, input => {
        const query = parseOrSlip(input)
        if (query instanceof AppError) {
          const offset = query.details.offset
          expect(offset).toSatisfy((value: number) => value >= 0 && value <= input.length)
          return
        }
        const printed = printQuery(query)
        expect(outline(parseQuery(printed))).toBe(outline(query))
        expect(printQuery(parseQuery(printed))).toBe(printed)
      }),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['a b "c" d*', false],
  ['(a b)', false],
  ['*', false],
  ['a AND b', true],
  ['a (b OR c)', true],
  ['a (b (NOT c))', true],
])('%j has an operator: %s', (text, expected) => {
  expect(hasOperator(parseQuery(text))).toBe(expected)
})

function leaves(query: Query): Query[] {
  if (query.kind === 'not') return leaves(query.child)
  return 'children' in query ? query.children.flatMap(leaves) : [query]
}

function parseOrSlip(text: string): Query | AppError {
  try {
    return parseQuery(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
}

function slipOf(text: string): AppError {
  const slip = parseOrSlip(text)
  if (!(slip instanceof AppError)) throw new Error(`expected a slip, got ${outline(slip)}`)
  return slip
}
