// Meaning besides words, for questions: the cosine of each item's vector with the question's counts as one
// more word, and the nearest items are found even when they have none of the words. Signatures estimate the
// cosine of all items. It is calculated only for those that could be among the best.
import type { CompiledQuery } from '../match/compiled-query.ts'
import type { DocSet } from '../match/doc-set.ts'
import { TopHits } from '../match/top-hits.ts'
import { BestScores } from '../rank/best-scores.ts'
import { aboveBase, BUILT_IN_MODEL, chanceCosine, meaningShare } from '../rank/cosine.ts'
import { lowerByCoverage } from '../rank/coverage.ts'
import type { Estimate } from '../rank/signature-engines.ts'
import { type Signatures, signatureOf } from '../rank/signatures.ts'
import type { VectorTable } from '../rank/vector-table.ts'
import type { Hit } from './hit.ts'
import type { SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/**
 * How many items of each space a question may find by meaning alone, and the least cosine that they need,
 * unless chance alone gives a higher one.
 */
const NEIGHBOURS = 50
const MIN_COSINE = 0.25
/** How many items of each space have their cosine calculated; in a space with no more than this, all have. */
const EXACT = 100

export interface SpaceScores {
  readonly found: DocSet
  /**
   * What the words of each document score, and in `covered` the share of it that counts. Both are in the
   * memory that `memoryOf` gives, if any.
   */
  readonly scores: Float32Array
  readonly covered: Float32Array
  readonly allowed: DocSet
  /** How much all words of the question count together. */
  readonly bound: number
}

export class MeaningScores {
  /**
   * Whether there are vectors to compare. Without them, scores are those of words alone, not a fraction of
   * them.
   */
  readonly isUsed: boolean
  /** Its numbers have 64 bits: others would be converted for every item. */
  readonly #vector: Float64Array
  /** The least cosine of an item that is found by meaning alone. */
  readonly #least: number
  /** How much a cosine counted in the scores of each space. */
  readonly #weights: number[] = []
  /** For each space, the vectors that can be compared with the question's. */
  readonly #tables: readonly VectorTable[]
  /** The cosine that any item has with the question. For many models it is far above zero. */
  readonly #base: number
  /** How much meaning counts, in units of a word's rarity; 0 when it does not. */
  readonly share: number

  constructor(
    spaces: readonly OpenSpace[],
    request: Pick<SearchRequest, 'spaces'> & { readonly vector?: SearchRequest['vector'] | undefined },
    { readings }: CompiledQuery,
    documents: number,
  ) {
    const { vector } = request
    const isQuestion = readings.some(reading => reading.any !== undefined)
    this.#vector = new Float64Array(vector?.values ?? [])
    this.#tables =
      vector && isQuestion
        ? spaces.map(({ reader }) => reader.vectors(vector.model, vector.values.length))
        : []
    this.isUsed = this.#tables.some(
      (table, at) => !table.isEmpty && request.spaces.includes(spaces[at]!.space),
    )
    this.#base = vector && vector.model !== BUILT_IN_MODEL ? commonCosine(this.#tables, this.#vector) : 0
    this.#least = Math.max(MIN_COSINE, chanceCosine(documents))
    this.share = this.isUsed ? meaningShare(documents) : 0
  }

  /** Undefined when meaning does not count. */
  cosineOf({ at, doc }: Pick<Hit, 'at' | 'doc'>): number | undefined {
    const table = this.#tables[at]
    if (!table || !this.isUsed) return undefined
    return table.isEmpty ? 0 : this.#cosine(table, doc)
  }

  /** How much of the score of a hit is meaning, from 0 to 1; undefined when meaning does not count. */
  shareOf({ at, doc, score }: Pick<Hit, 'at' | 'doc' | 'score'>): number | undefined {
    const weight = this.#weights[at]
    const cosine = this.cosineOf({ at, doc })
    if (weight === undefined || cosine === undefined || score === 0) return undefined
    return Math.min(1, (weight * Math.max(0, cosine)) / score)
  }

  /** The memory for the scores of a space, where meaning counts. */
  memoryOf(at: number): Pick<Signatures, 'scores' | 'spare'> | undefined {
    const table = this.#tables[at]
    return table && this.isUsed && !table.isEmpty ? table.signatures : undefined
  }

  /** Turns the scores for words of one space into its scores, and adds its nearest items to those found. */
  addTo({ found, scores, covered, allowed, bound }: SpaceScores, at: number): void {
    const table = this.#tables[at]
    if (!table || !this.isUsed) {
      lowerByCoverage(scores, covered, 1)
      return
    }
    const words = bound / (bound + this.share)
    const meaning = this.share / (bound + this.share)
    this.#weights[at] = meaning
    if (table.isEmpty) {
      lowerByCoverage(scores, covered, words)
      return
    }
    const near = new TopHits<Neighbour>(NEIGHBOURS, (a, b) => b.cosine - a.cosine || a.doc - b.doc)
    const { docs, estimates } = this.#candidates(table, { scores, covered, allowed, words, meaning })
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!
      const cosine = this.#cosine(table, doc)
      scores[doc]! += meaning * Math.max(0, cosine) - estimates[at]!
      if (cosine >= this.#least && !found.has(doc)) near.offer({ doc, cosine })
    }
    for (const { doc } of near.sorted()) found.add(doc)
  }

  /** The cosine, on a scale on which the common one is 0. */
  #cosine(table: VectorTable, doc: number): number {
    return aboveBase(table.cosine(doc, this.#vector), this.#base)
  }

  /** What meaning adds to a score, by the number of signs that differ. */
  #estimate(dimensions: number, weight: number): Estimate {
    const scale = weight / (1 - this.#base)
    const { rise, bend } = likelyCosine(dimensions)
    return { half: dimensions >> 1, rise: scale * rise, bend: scale * bend, less: scale * this.#base }
  }

  /** Estimates all scores, and chooses the best documents by them. */
  #candidates(
    { signatures, dimensions }: VectorTable,
    {
      scores,
      covered,
      allowed,
      words,
      meaning,
    }: Pick<SpaceScores, 'scores' | 'covered' | 'allowed'> & Weights,
  ): Candidates {
    if (scores.length <= EXACT) {
      lowerByCoverage(scores, covered, words)
      const docs = allowed.members()
      return { docs, estimates: new Float64Array(docs.length) }
    }
    const estimate = this.#estimate(dimensions, meaning)
    const best = new BestScores(EXACT)
    const likely = signatures.compare(signatureOf(this.#vector), { estimate, words, allowed, best })
    const docs: number[] = []
    const estimates: number[] = []
    // Among equally good documents, keeps those that come first.
    let { surplus } = best
    for (let at = likely.docs.length - 1; at >= 0; at--) {
      const score = scores[likely.docs[at]!]!
      if (score < best.least || (best.isLowest(score) && surplus-- > 0)) continue
      docs.push(likely.docs[at]!)
      estimates.push(likely.estimates[at]!)
    }
    return { docs, estimates }
  }
}

/** How many documents are sampled for the common cosine, and how many are so few that it is halved. */
const COMMON = { most: 128, few: 10 }

/**
 * The median cosine in a sample of all documents. It is lowered when there are few, which may all be about
 * the question.
 */
function commonCosine(tables: readonly VectorTable[], vector: Float64Array): number {
  const documents = tables.reduce((sum, table) => sum + table.capacity, 0)
  const step = Math.max(1, documents / COMMON.most)
  const cosines: number[] = []
  for (const table of tables)
    for (let at = 0; at < table.capacity; at += step) {
      const cosine = table.cosine(Math.floor(at), vector)
      // A document without a vector says nothing.
      if (cosine !== 0) cosines.push(cosine)
    }
  const middle = cosines.sort((a, b) => a - b)[cosines.length >> 1] ?? 0
  return Math.max(0, middle) * (cosines.length / (cosines.length + COMMON.few))
}

interface Neighbour {
  readonly doc: number
  readonly cosine: number
}

/** How much words and meaning count; together 1. */
interface Weights {
  readonly words: number
  readonly meaning: number
}

interface Candidates {
  readonly docs: ArrayLike<number>
  /** The estimate of meaning that the score of each has so far. */
  readonly estimates: ArrayLike<number>
}

/**
 * For random directions, the share of signs that differ is the angle as a share of 180 degrees. If `n` fewer
 * than half of them differ, the cosine is nearly `n * (rise + n * n * bend)`: the beginning of its series.
 */
function likelyCosine(dimensions: number) {
  const rise = Math.PI / dimensions
  return { rise, bend: -(rise ** 3) / 6 }
}
