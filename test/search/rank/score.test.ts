// Laws about the strength of a word in a document, whatever the collection.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEARCH_FIELDS } from '../../../src/query/fields.ts'
import { fieldWeights } from '../../../src/search/rank/field-weights.ts'
import { measureCollection, scoreDocuments, strengthsOf, totalTable } from '../../../src/search/rank/score.ts'

const FIELDS = SEARCH_FIELDS.length
const WEIGHTS = fieldWeights(undefined)

/** A document of one type: the words of each field, and how often one word is among them. */
const documents = fc.array(
  fc
    .array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 500 })), { minLength: FIELDS, maxLength: FIELDS })
    .map(fields => fields.map(([count, others]) => ({ count, length: count + others }))),
  { minLength: 1, maxLength: 5 },
)
type Documents = readonly (readonly { readonly count: number; readonly length: number }[])[]

function strengths(library: Documents): number[] {
  const table = {
    types: new Uint8Array(library.length).fill(1),
    lengths: Uint32Array.from(library.flatMap(fields => fields.map(field => field.length))),
  }
  const masks = library.map(fields =>
    fields.reduce((mask, { count }, at) => mask | (count > 0 ? 1 << at : 0), 0),
  )
  const postings = {
    docs: Uint32Array.from(library.keys()),
    masks: Uint8Array.from(masks),
    counts: Uint32Array.from(library.flatMap(fields => fields.map(({ count }) => count).filter(Boolean))),
  }
  const collection = measureCollection([totalTable(table)])
  return [...strengthsOf(postings, table, { weights: [[], WEIGHTS], collection })]
}

describe('the strength of a word', () => {
  it('lies between nothing and all, and is nothing only where the word is not', () => {
    fc.assert(
      fc.property(documents, library => {
        strengths(library).forEach((strength, doc) => {
          const isThere = library[doc]!.some(({ count }) => count > 0)
          expect(strength).toBeLessThan(1)
          expect(strength > 0).toBe(isThere)
        })
      }),
    )
  })

  it('grows when a word of a field is replaced by it', () => {
    fc.assert(
      fc.property(documents, fc.nat({ max: FIELDS - 1 }), (library, field) => {
        const { count, length } = library[0]![field]!
        fc.pre(count < length)
        const more = library.map((fields, doc) =>
          fields.map((own, at) => (doc === 0 && at === field ? { count: count + 1, length } : own)),
        )
        expect(strengths(more)[0]).toBeGreaterThan(strengths(library)[0]!)
      }),
    )
  })

  it('of a body alone, however often it repeats the word, is at most that of three times its weight', () => {
    const body = SEARCH_FIELDS.indexOf('content')
    const most = (3 * WEIGHTS[body]!) / (3 * WEIGHTS[body]! + 2)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat({ max: 100_000 }), (count, others) => {
        const fields = SEARCH_FIELDS.map((_, at) =>
          at === body ? { count, length: count + others } : { count: 0, length: 0 },
        )
        expect(strengths([fields])[0]).toBeLessThanOrEqual(most + 1e-6)
      }),
    )
  })
})

describe('how much a word says', () => {
  /** The scores of documents that each have one word at full strength, by how many of ten have that word. */
  function scoresAmongTen(...holders: readonly number[]): Float32Array {
    const scores = new Float32Array(10)
    const leaves = holders.map((count, doc) => ({
      docs: Uint32Array.of(doc),
      strengths: Float32Array.of(1),
      holders: count,
      times: 1,
    }))
    scoreDocuments(scores, leaves, 10)
    return scores
  }

  it('is the logarithm of what is usual for BM25: 1 + (N - n + 0.5) / (n + 0.5)', () => {
    const [rare, common] = scoresAmongTen(1, 4)
    expect(rare! / common!).toBeCloseTo(Math.log(22 / 3) / Math.log(22 / 9), 6)
  })

  it('is less the more documents have it, and something even when all have', () => {
    const [one, half, all] = scoresAmongTen(1, 5, 10)
    expect(one).toBeGreaterThan(half!)
    expect(half).toBeGreaterThan(all!)
    expect(all).toBeGreaterThan(0)
  })
})

describe('the score of a document', () => {
  /**
   * Two words of equal strength, each in its own document, one repeated so often in the question, the other
   * once.
   */
  function scoresOf(times: number, strength: number): Float32Array {
    const scores = new Float32Array(2)
    const leaf = { strengths: Float32Array.of(strength), holders: 1 }
    scoreDocuments(
      scores,
      [
        { ...leaf, docs: Uint32Array.of(0), times },
        { ...leaf, docs: Uint32Array.of(1), times: 1 },
      ],
      2,
    )
    return scores
  }
  const strength = fc.double({ min: 0.01, max: 1, noNaN: true })

  it('is larger for a word that the question says again, but never three times as large', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000_000 }), strength, (times, strength) => {
        const [said, once] = scoresOf(times, strength)
        expect(said).toBeGreaterThan(once!)
        expect(said! / once!).toBeLessThan(3)
      }),
    )
  })

  it('adds up to the strength of the words, for a document that has all of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), strength, (times, strength) => {
        const [said, once] = scoresOf(times, strength)
        expect(said! + once!).toBeCloseTo(strength, 5)
      }),
    )
  })
})
