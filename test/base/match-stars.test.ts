import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesStars } from '../../src/base/match-stars.ts'
import { fitsPattern } from './naive-stars.ts'

describe('a pattern with stars', () => {
  test.each([
    ['file*', 'file', true],
    ['file*', 'filesystem', true],
    ['file*', 'file-system', true],
    ['file*', 'profile', false],
    ['*search', 'search', true],
    ['*search', 'websearch', true],
    ['*search', 'searching', false],
    ['*thread*', 'thread', true],
    ['*thread*', 'multithreaded', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['*', '', true],
    ['a', 'a', true],
    ['a', '', false],
    ['', '', true],
    ['[a]?', 'a', false],
    ['a.c*', 'abcd', false],
  ])('%j fits %j: %s', (pattern, word, expected) => {
    expect(matchesStars(pattern, word)).toBe(expected)
  })

  test.each([
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?', 'a', false],
    ['?', '', false],
    ['*?', 'ab', true],
  ])('with a sign for any one character, %j fits %j: %s', (pattern, word, expected) => {
    expect(matchesStars(pattern, word, '?')).toBe(expected)
  })

  test('fits exactly the words that a plain recursive reading of it fits', () => {
    const letters = (unit: string[]) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 8 })
    fc.assert(
      fc.property(
        letters(['a', 'b', '*', '?']),
        letters(['a', 'b', '?']),
        fc.constantFrom('', '?'),
        (pattern, word, anyOne) => {
          expect(matchesStars(pattern, word, anyOne)).toBe(fitsPattern(pattern, word, anyOne))
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('that makes backtracking matchers explode is refused without trouble', () => {
    const pattern = `${'*a'.repeat(2000)}*b`
    expect(matchesStars(pattern, 'a'.repeat(4096))).toBe(false)
  })
})
