import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureRanking, measureRankings } from '../../../src/search/evaluate/retrieval-metrics.ts'

const judged = (entries: Record<string, number>) => new Map(Object.entries(entries))

describe('one question', () => {
  test('answered first is perfect', () => {
    expect(measureRanking(['a', 'x'], judged({ a: 1 }))).toEqual({
      ndcg10: 1,
      recall5: 1,
      recall10: 1,
      mrr10: 1,
      hit1: 1,
    })
  })

  test('answered third gains 1 / log2(4)', () => {
    expect(measureRanking(['x', 'y', 'a'], judged({ a: 1 }))).toEqual({
      ndcg10: 0.5,
      recall5: 1,
      recall10: 1,
      mrr10: 1 / 3,
      hit1: 0,
    })
  })

  test('answered sixth counts for ten places, not for five', () => {
    const figures = measureRanking(['u', 'v', 'w', 'x', 'y', 'a'], judged({ a: 1 }))
    expect(figures).toMatchObject({ recall5: 0, recall10: 1, mrr10: 1 / 6 })
    expect(figures.ndcg10).toBeCloseTo(0.356207, 6)
  })

  test('answered eleventh counts for nothing', () => {
    const ranking = [...'bcdefghijk', 'a']
    expect(measureRanking(ranking, judged({ a: 1 }))).toEqual({
      ndcg10: 0,
      recall5: 0,
      recall10: 0,
      mrr10: 0,
      hit1: 0,
    })
  })

  test('with graded answers weighs each by its grade', () => {
    // gains 1, 0, 3: 1 + 3/2 = 2.5; ideal 3, 2, 1: 3 + 2/1.58496 + 1/2 = 4.761860
    const figures = measureRanking(['a', 'x', 'c'], judged({ a: 1, b: 2, c: 3, x: 0 }))
    expect(figures.ndcg10).toBeCloseTo(2.5 / 4.76186, 6)
    expect(figures).toMatchObject({ recall5: 2 / 3, recall10: 2 / 3, mrr10: 1, hit1: 1 })
  })

  test('gains nothing from naming an answer twice', () => {
    expect(measureRanking(['a', 'a', 'b'], judged({ a: 1, b: 1 })).ndcg10).toBe(1)
  })

  test('with more answers than places can still be perfect', () => {
    const ids = Array.from({ length: 12 }, (_, i) => `d${i}`)
    const figures = measureRanking(ids, new Map(ids.map(id => [id, 1])))
    expect(figures).toEqual({ ndcg10: 1, recall5: 5 / 12, recall10: 10 / 12, mrr10: 1, hit1: 1 })
  })

  test('never leaves 0..1', () => {
    const id = fc.constantFrom(...'abcdefghijklmno')
    const grades = fc.dictionary(id, fc.integer({ min: -1, max: 3 }))
    fc.assert(
      fc.property(fc.array(id, { maxLength: 20 }), grades, (ranking, entries) => {
        for (const figure of Object.values(measureRanking(ranking, judged(entries)))) {
          expect(figure).toBeGreaterThanOrEqual(0)
          expect(figure).toBeLessThanOrEqual(1 + 1e-12)
        }
      }),
    )
  })
})

describe('many questions', () => {
  const judgements = new Map([
    ['q1', judged({ a: 1 })],
    ['q2', judged({ b: 1 })],
    ['unanswerable', judged({ c: 0 })],
  ])

  test('have the mean of their figures; those without an answer are left out', () => {
    const rankings = new Map([
      ['q1', ['a']],
      ['q2', ['x', 'y', 'b']],
      ['unanswerable', ['c']],
    ])
    expect(measureRankings(rankings, judgements)).toEqual({
      ndcg10: 0.75,
      recall5: 1,
      recall10: 1,
      mrr10: (1 + 1 / 3) / 2,
      hit1: 0.5,
    })
  })

  test('count a missing ranking as a failure', () => {
    expect(measureRankings(new Map([['q1', ['a']]]), judgements).hit1).toBe(0.5)
  })

  test('of number zero have figures of zero', () => {
    expect(measureRankings(new Map(), new Map()).ndcg10).toBe(0)
  })
})
