// Laws about the score of a question of several sentences, and its purpose.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Space } from '../../../src/item/space.ts'
import { scoreDocuments } from '../../../src/search/rank/score.ts'
import { scoreSentences } from '../../../src/search/rank/sentences.ts'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import { sentenceEnds } from '../../../src/search/text/sentences.ts'
import { idsOf, itemOf, searchFor } from '../sqlite/library.ts'

const DOCUMENTS = 4
const strength = fc.float({ min: Math.fround(0.01), max: Math.fround(0.99), noNaN: true })
const leaf = fc.record({
  strengths: fc
    .array(strength, { minLength: DOCUMENTS, maxLength: DOCUMENTS })
    .map(list => Float32Array.from(list)),
  docs: fc.constant(Uint32Array.from({ length: DOCUMENTS }, (_, doc) => doc)),
  holders: fc.integer({ min: 1, max: 50 }),
  times: fc.integer({ min: 1, max: 5 }),
  sentences: fc.integer({ min: 1, max: 0b111 }),
})
const leaves = fc.array(leaf, { minLength: 1, maxLength: 6 })

const documents = 100
const whole = (list: Parameters<typeof scoreDocuments>[1]) => {
  const scores = new Float32Array(DOCUMENTS)
  return { bound: scoreDocuments(scores, list, documents), scores: [...scores] }
}
const bySentence = (list: Parameters<typeof scoreSentences>[1]) => {
  // Leftover values in the arrays must not count.
  const [scores, spare] = [new Float32Array(DOCUMENTS).fill(7), new Float32Array(DOCUMENTS).fill(7)]
  return { bound: scoreSentences(scores, list, { documents, spare }), scores: [...scores] }
}

describe('the score by sentences', () => {
  it('is above nothing, and at most that of the question as one', () => {
    fc.assert(
      fc.property(leaves, list => {
        const [ours, all] = [bySentence(list), whole(list)]
        expect(ours.bound).toBeCloseTo(all.bound, 9)
        ours.scores.forEach((score, doc) => {
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThanOrEqual(all.scores[doc]! + 1e-6)
        })
      }),
    )
  })

  it('is that of the question where one sentence has all words', () => {
    fc.assert(
      fc.property(leaves, fc.integer({ min: 0, max: 7 }), (list, others) => {
        const first = list.map(one => ({ ...one, sentences: 1 | (others & one.sentences) }))
        const all = whole(first).scores
        bySentence(first).scores.forEach((score, doc) => {
          expect(score).toBeCloseTo(all[doc]!, 6)
        })
      }),
    )
  })

  it('does not depend on which sentence comes first', () => {
    fc.assert(
      fc.property(leaves, list => {
        const swap = (bits: number) => ((bits & 1) << 2) | (bits & 2) | (bits >> 2)
        const swapped = list.map(one => ({ ...one, sentences: swap(one.sentences) }))
        const ours = bySentence(list).scores
        bySentence(swapped).scores.forEach((score, doc) => {
          expect(score).toBeCloseTo(ours[doc]!, 6)
        })
      }),
    )
  })
})

describe('sentences', () => {
  it.each([
    ['one', 1],
    ['one. two', 2],
    ['Open app.ts at 3.5 and stop', 1],
    ['What? Really! Yes; no\nlast', 5],
    ['ends here.', 1],
    ['一つ。二つ。', 3],
    ['a. '.repeat(1000), 16],
  ])('%j', (text, count) => {
    expect(sentenceEnds(text)).toHaveLength(count)
    expect(sentenceEnds(text).at(-1)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a question of several sentences', () => {
  let index: SearchIndex
  beforeEach(async () => {
    index = await openIndex(new Map<Space, string>([['project', MEMORY]]))
  })
  afterEach(() => index.close())

  it('prefers what answers one of them to what has a word of each', () => {
    const drafts = [
      { id: 'clinic', fields: { content: ['radiation therapy for patients'] } },
      { id: 'letter', fields: { content: ['demand a payment by letter'] } },
      { id: 'radiation', fields: { description: ['solar radiation of a place, hour by hour'] } },
      { id: 'needs', fields: { description: ['energy demand, day by day'] } },
      {
        id: 'both',
        fields: { title: ['Solar energy'], description: ['solar energy'] },
      },
    ]
    index.apply('project', { upsert: drafts.map(draft => itemOf(draft)), remove: [] })
    const ids = idsOf(
      searchFor(index, 'Look up solar radiation over Paris. Then estimate energy demand of our household.'),
    )
    expect(ids).toContain('both')
    expect(ids[0]).not.toBe('both')
  })
})
