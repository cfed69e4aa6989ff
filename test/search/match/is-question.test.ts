// Whether a query is a question is decided without compiling it, and agrees with compiling it.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Query } from '../../../src/query/types.ts'
import { compileQuery, isQuestion } from '../../../src/search/match/compile-query.ts'
import { query, span } from '../random-searches.ts'

const term = fc
  .constantFrom('...', '--', 'the', 'getUserName', 'a.b', '漢字', '漢', '', '🙂')
  .map((text): Query => ({ kind: 'term', text, span }))
const odd = fc
  .array(fc.oneof(term, query), { minLength: 1, maxLength: 3 })
  .map((children): Query => ({ kind: 'words', children, span }))

it('as a reading that accepts partial matches', () => {
  const options = fc.record({
    match: fc.constantFrom('auto' as const, 'auto' as const, 'all' as const, 'any' as const),
    fuzzy: fc.constantFrom(0, 1),
    proximity: fc.constantFrom(undefined, undefined, 2),
    fields: fc.constant(new Map()),
    synonyms: fc.constantFrom(new Map(), new Map([['bread', [['loaf']]]])),
  })
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(fc.oneof(query, odd, term), options, (of, with_) => {
      const { readings } = compileQuery(of, with_)
      const expected = readings.some(reading => reading.any !== undefined)
      seen.add(expected)
      expect(isQuestion(of, with_)).toBe(expected)
    }),
    { numRuns: 2000 },
  )
  expect(seen).toEqual(new Set([true, false]))
})
