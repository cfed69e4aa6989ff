// The signs of many vectors as bits. How many of them differ from those of a question is a fast estimate of
// the angle between the vectors, which is added to scores.
import type { DocSet } from '../match/doc-set.ts'
import type { BestScores } from './best-scores.ts'
import {
  BLOCK,
  type Engine,
  type Estimate,
  estimateOf,
  FACTORS,
  type OpenEngine,
  pickEngine,
  TOGETHER,
} from './signature-engines.ts'

/**
 * Documents are compared in batches: FIRST at first, and never more than AT_ONCE, which stay in the
 * processor's cache.
 */
const AT_ONCE = 4096
const FIRST = 512

/** The bytes of a signature of this many numbers. */
export function signatureSize(dimensions: number): number {
  return BLOCK * Math.ceil(dimensions / (8 * BLOCK))
}

/** One bit for each number, set when it is above zero. */
export function signatureOf(numbers: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(signatureSize(numbers.length))
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! > 0) bits[at >> 3]! |= 1 << (at & 7)
  return bits
}

/** The signatures of all documents of a space, by document number, with the scores that they add to. */
export class Signatures {
  /** The signatures one after another, filled in by the caller. */
  readonly bytes: Uint8Array
  /**
   * What the words of each document score, and in `spare` the share of it that counts. The caller fills in
   * both.
   */
  readonly scores: Float32Array
  readonly spare: Float32Array
  readonly #question: Uint8Array
  readonly #factors: Float32Array
  readonly #half: Uint16Array
  readonly #chosen: Uint32Array
  readonly #distances: Uint16Array
  readonly #size: number
  readonly #engine: OpenEngine

  constructor(capacity: number, size: number, engine: Engine = pickEngine(capacity)) {
    const places = TOGETHER * Math.ceil(capacity / TOGETHER)
    const [question, factors, chosen, distances, scores, spare, bytes] = takeTurns([
      size,
      4 * (FACTORS + 1),
      (4 * AT_ONCE) / TOGETHER,
      2 * AT_ONCE,
      4 * places,
      4 * places,
      size * places,
    ])
    this.#size = size
    this.#engine = engine(bytes!.end)
    const { buffer } = this.#engine
    this.#question = new Uint8Array(buffer, question!.start, size)
    this.#factors = new Float32Array(buffer, factors!.start, FACTORS)
    this.#half = new Uint16Array(buffer, factors!.start + 4 * FACTORS, 1)
    this.#chosen = new Uint32Array(buffer, chosen!.start, AT_ONCE / TOGETHER)
    this.#distances = new Uint16Array(buffer, distances!.start, AT_ONCE)
    this.scores = new Float32Array(buffer, scores!.start, capacity)
    this.spare = new Float32Array(buffer, spare!.start, capacity)
    this.bytes = new Uint8Array(buffer, bytes!.start, size * capacity)
  }

  /**
   * Computes scores: the share `words` of the score for words, plus an estimate of meaning. Counts the scores
   * of allowed documents in `best`, and returns these documents: all that are among the best, and some that
   * were until better ones came.
   */
  compare(question: Uint8Array, { estimate, words, allowed, best }: Comparison): Likely {
    const { scores } = this
    const { half, rise, bend, less } = estimate
    this.#question.set(question)
    this.#half[0] = half
    const likely: Likely = { docs: [], estimates: [] }
    // The more scores are known, the fewer of the others are among the best, so batches grow.
    for (let start = 0, size = FIRST; start < scores.length; size = Math.min(AT_ONCE, start)) {
      const end = Math.min(start + size, scores.length)
      this.#factors.set([words, best.least, rise, bend, less])
      this.#count(start, end)
      const groups = this.#add(start, end)
      for (let at = 0; at < groups; at++) {
        const group = start + this.#chosen[at]!
        for (let doc = group; doc < Math.min(group + TOGETHER, end); doc++) {
          if (scores[doc]! < best.least || !allowed.has(doc)) continue
          best.count(scores[doc]!)
          likely.docs.push(doc)
          likely.estimates.push(estimateOf(this.#distances[doc - start]!, estimate))
        }
      }
      start = end
    }
    return likely
  }

  /** Counts how many bits of each signature differ from the question's. */
  #count(start: number, end: number): void {
    const { byteOffset } = this.bytes
    this.#distances.fill(0)
    for (let block = 0; block < this.#size; block += BLOCK) {
      const [item, last] = [byteOffset + block + start * this.#size, byteOffset + block + end * this.#size]
      const question = this.#question.byteOffset + block
      this.#engine.compare(item, this.#size, last, question, this.#distances.byteOffset)
    }
  }

  /** Returns how many groups were chosen. */
  #add(start: number, end: number): number {
    const [score, last] = [this.scores.byteOffset + 4 * start, this.scores.byteOffset + 4 * end]
    const [share, distance] = [this.spare.byteOffset + 4 * start, this.#distances.byteOffset]
    const chosen = this.#chosen.byteOffset
    return (this.#engine.add(score, last, share, distance, this.#factors.byteOffset, chosen) - chosen) >> 2
  }
}

/** Documents, and the estimate of meaning in the score of each. */
interface Likely {
  readonly docs: number[]
  readonly estimates: number[]
}

interface Comparison {
  readonly estimate: Estimate
  readonly words: number
  readonly allowed: Pick<DocSet, 'has'>
  readonly best: BestScores
}

/**
 * Where several parts lie that follow one another. Each begins at a multiple of sixteen bytes, to be loaded
 * sixteen bytes at once.
 */
function takeTurns(sizes: readonly number[]): { start: number; end: number }[] {
  let next = 0
  return sizes.map(size => {
    const start = next
    next += 16 * Math.ceil(size / 16)
    return { start, end: next }
  })
}
