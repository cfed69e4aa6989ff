import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeWord } from '../../../src/surfaces/ui/complete-word.ts'

describe('the last word of a query', () => {
  it.each([
    ['depl', 'depl*'],
    ['deploy clu', 'deploy clu*'],
    ['(rotate OR tok', '(rotate OR tok*'],
    ['"a b" sche', '"a b" sche*'],
    ['Größe', 'Größe*'],
    ['read_fi', 'read_fi*'],
  ])('%j is completed', (query, expected) => {
    expect(completeWord(query)).toBe(expected)
  })

  it.each([
    '',
    '*',
    'de',
    'depl*',
    'deploy AND',
    'deploy NOT',
    '"deploy clu',
    'deploy ',
    'a/pat',
    'a.b',
    'deploy~2',
  ])('%j is left alone', query => {
    expect(completeWord(query)).toBeUndefined()
  })

  it('is completed once', () => {
    fc.assert(
      fc.property(fc.string(), query => {
        const completed = completeWord(query)
        if (completed === undefined) return
        expect(completed).toBe(`${query}*`)
        expect(completeWord(completed)).toBeUndefined()
      }),
    )
  })
})
