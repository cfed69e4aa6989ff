// Meaning besides words, for questions: the cosine of each item's vector with the question's counts as one more word, and the
// nearest items are found even when they have none of the words. Signatures estimate the cosine of all items; those that could be
// among the best have it calculated.
import type { CompiledQuery } from '../match/compiled-query.ts'
import type { DocSet } from '../match/doc-set.ts'
import { TopHits } from '../match/top-hits.ts'
import { aboveBase, BUILT_IN_MODEL, chanceCosine, meaningShare } from '../rank/cosine.ts'
import { signatureOf } from '../rank/signatures.ts'
import type { VectorTable } from '../rank/vector-table.ts'
import type { Hit } from './hit.ts'
import type { SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/** How many items of each space a question may find by meaning alone, and how near they must be, if not more by chance. */
const NEIGHBOURS = 50
const MIN_COSINE = 0.25
/** The items of each space whose cosine is calculated; of fewer it is that of all. */
const EXACT = 100
/** Steps of a score, for choosing them. */
const STEPS = 4096
/** How many documents tell which score the best have. */
const SAMPLE = 2048

export interface SpaceScores {
  readonly found: DocSet
  readonly scores: Float64Array
  readonly allowed: DocSet
  /** How much all words of the question count together. */
  readonly bound: number
}

export class MeaningScores {
  /** Without vectors to compare, scores are those of words alone, not a fraction of them. */
  readonly isUsed: boolean
  /** Of 64 bits each: others would be converted for every item. */
  readonly #vector: Float64Array
  /** The least cosine of an item that is found by meaning alone. */
  readonly #least: number
  /** How much a cosine counted in the scores of each space. */
  readonly #weights: number[] = []
  /** For each space, the vectors that can be compared with the question's. */
  readonly #tables: readonly VectorTable[]
  /** The cosine that any item has with the question: of many models it is far above zero. */
  readonly #base: number
  /** How much it counts, in units of a word's rarity; 0 when it does not. */
  readonly share: number

  constructor(
    spaces: readonly OpenSpace[],
    request: Pick<SearchRequest, 'spaces'> & { readonly vector?: SearchRequest['vector'] | undefined },
    { readings }: CompiledQuery,
    documents: number,
  ) {
    const { vector } = request
    const isQuestion = readings.some(reading => reading.any !== undefined)
    this.#vector = Float64Array.from(vector?.values ?? [])
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

  /** Changes the scores of one space, and adds its nearest items to those found. */
  addTo({ found, scores, allowed, bound }: SpaceScores, at: number): void {
    const table = this.#tables[at]
    if (!table || !this.isUsed) return
    const words = bound / (bound + this.share)
    const meaning = this.share / (bound + this.share)
    this.#weights[at] = meaning
    if (table.isEmpty) {
      for (let doc = 0; doc < scores.length; doc++) scores[doc]! *= words
      return
    }
    const near = new TopHits<Neighbour>(NEIGHBOURS, (a, b) => b.cosine - a.cosine || a.doc - b.doc)
    const { docs, estimates } = this.#candidates(table, { scores, allowed, words, meaning })
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!
      const cosine = this.#cosine(table, doc)
      scores[doc]! += meaning * Math.max(0, cosine) - estimates[at]!
      if (cosine >= this.#least && !found.has(doc)) near.offer({ doc, cosine })
    }
    for (const { doc } of near.sorted()) found.add(doc)
  }

  /** From the common cosine to one. */
  #cosine(table: VectorTable, doc: number): number {
    return aboveBase(table.cosine(doc, this.#vector), this.#base)
  }

  /** What meaning adds to a score, by the number of signs that differ. */
  #estimates(dimensions: number, weight: number): Float64Array {
    const estimates = new Float64Array(dimensions + 1)
    for (let distance = 0; distance <= dimensions; distance++)
      estimates[distance] = weight * Math.max(0, aboveBase(likelyCosine(distance, dimensions), this.#base))
    return estimates
  }

  /** Makes estimates of all scores, and chooses the best documents by them. */
  #candidates(
    table: VectorTable,
    { scores, allowed, words, meaning }: Pick<SpaceScores, 'scores' | 'allowed'> & Weights,
  ): Candidates {
    if (scores.length <= EXACT) {
      for (let doc = 0; doc < scores.length; doc++) scores[doc]! *= words
      const docs = allowed.members()
      return { docs, estimates: new Float64Array(docs.length) }
    }
    const { signatures } = table
    const { distances } = signatures
    const byDistance = this.#estimates(table.dimensions, meaning)
    signatures.compare(signatureOf(this.#vector))
    // A sample of the scores tells which are among the best; twice as many are taken, as it is not exact.
    const counts = new Uint32Array(STEPS + 1)
    const sample = Math.min(SAMPLE, scores.length)
    const stride = sample < scores.length ? strideOf(scores.length) : 1
    for (let number = 0, doc = 0; number < sample; number++) {
      if (allowed.has(doc)) counts[((scores[doc]! * words + byDistance[distances[doc]!]!) * STEPS) | 0]!++
      doc += stride
      if (doc >= scores.length) doc -= scores.length
    }
    const least = leastOf(counts, (2 * EXACT * sample) / scores.length)
    const likely = signatures.addEstimates(scores, { estimates: byDistance, words, least })
    counts.fill(0)
    for (let at = 0; at < likely.length; at++)
      if (allowed.has(likely[at]!)) counts[(scores[likely[at]!]! * STEPS) | 0]!++
    const leastOfBest = leastOf(counts, EXACT)
    const docs: number[] = []
    const estimates: number[] = []
    for (let at = 0; at < likely.length; at++) {
      const doc = likely[at]!
      if (scores[doc]! < leastOfBest || !allowed.has(doc)) continue
      docs.push(doc)
      estimates.push(byDistance[distances[doc]!]!)
    }
    return { docs, estimates }
  }
}

/** From one document of a sample to the next: such that they are spread evenly, and in step with nothing. */
function strideOf(documents: number): number {
  return Math.round(documents * GOLDEN_RATIO)
}

const GOLDEN_RATIO = 0.618033988749895

/** The score that as many as are wanted have at least, by the counts of each step; above zero. */
function leastOf(counts: Uint32Array, wanted: number): number {
  let step = STEPS
  for (let count = counts[step]!; count < wanted && step > 0; ) count += counts[--step]!
  return Math.max(step / STEPS, Number.MIN_VALUE)
}

/** Documents by which the common cosine is told; fewer say less of it. */
const COMMON = { most: 128, few: 10 }

/** The cosine in the middle of a sample of all documents; less than that where there are few, which may all be about the question. */
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
  /** What the score of each has of meaning so far. */
  readonly estimates: ArrayLike<number>
}

/** For random directions, the share of signs that differ is that of the angle. */
function likelyCosine(distance: number, dimensions: number): number {
  return Math.cos((Math.PI * distance) / dimensions)
}
