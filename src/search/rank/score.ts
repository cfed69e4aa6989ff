// The score is BM25F: a word counts by the weight of its field, and less in a field that is longer than
// average; repeated words saturate in each field, over all fields, and in the query; rare words count more.
// The sum is divided by that of a perfect match, so that scores are from 0 to 1.
import { SEARCH_FIELDS } from '../../query/index.ts'
import { lowestBit } from '../match/bits.ts'
import { FIELD_COUNT } from '../match/postings/place.ts'
import type { Postings } from '../match/postings/postings.ts'
import type { FieldWeights } from './field-weights.ts'

/**
 * How late a repeated word saturates; at 0 only presence would count. The usual 1.2 assumes that a word
 * counts 1: here field weights multiply it, and the mean weight of a match is near 2.
 */
const K1 = 2
/**
 * How much more than once a word can count in one field, however often it occurs: a body with a variable
 * `start` in every other line is hardly more about starting than a description with the word. The same holds
 * for a word of a query.
 */
const REPEATS = 2
/** How much the length of a field matters, from 0 (not at all) to 1 (fully); from 0.6 to the usual 0.75 all
 * are equally good. */
const B = 0.7

/** What scoring needs to know about the documents of one space, by document number. */
export interface DocumentTable {
  /** 1 + index of the type in `ITEM_TYPES`; 0 for a deleted document. */
  readonly types: Uint8Array
  /** The number of words in each field: `lengths[doc * FIELD_COUNT + field]`. */
  readonly lengths: Uint32Array
}

/** Statistics of all spaces together, so that equal text has equal scores in each. */
export interface Collection {
  readonly documents: number
  /** Mean length of each field, over the documents that have it. */
  readonly averages: readonly number[]
}

export interface TableTotals {
  readonly documents: number
  /** For each field, the words of all documents together. */
  readonly words: readonly number[]
  /** For each field, the documents that have it. */
  readonly holders: readonly number[]
}

export function totalTable({ types, lengths }: DocumentTable): TableTotals {
  let documents = 0
  const words = new Array<number>(FIELD_COUNT).fill(0)
  const holders = new Array<number>(FIELD_COUNT).fill(0)
  for (let doc = 0; doc < types.length; doc++) {
    if (types[doc] === 0) continue
    documents++
    for (let field = 0; field < FIELD_COUNT; field++) {
      const length = lengths[doc * FIELD_COUNT + field]!
      if (length === 0) continue
      words[field]! += length
      holders[field]!++
    }
  }
  return { documents, words, holders }
}

export function measureCollection(totals: readonly TableTotals[]): Collection {
  const averages = SEARCH_FIELDS.map((_, field) => {
    const words = totals.reduce((sum, total) => sum + total.words[field]!, 0)
    const holders = totals.reduce((sum, total) => sum + total.holders[field]!, 0)
    return holders === 0 ? 1 : words / holders
  })
  return { documents: totals.reduce((sum, total) => sum + total.documents, 0), averages }
}

export interface Scale {
  /** By type, numbered as in `DocumentTable`. */
  readonly weights: readonly FieldWeights[]
  readonly collection: Collection
}

/** Whether two scales give the same strengths. */
export function isSameScale(a: Scale, b: Scale): boolean {
  return (
    isSameList(a.collection.averages, b.collection.averages) &&
    a.weights.every((weights, type) => isSameList(weights, b.weights[type]!))
  )
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/**
 * How much each document of a list is about its word, from 0 to 1, regardless of how rare the word is. This
 * runs for every document of every word, so it reads flat arrays and makes no objects.
 */
export function strengthsOf(postings: Postings, table: DocumentTable, scale: Scale): Float32Array {
  const { docs, masks, counts } = postings
  const { types, lengths } = table
  const weights = Float64Array.from(scale.weights.flatMap(padded))
  const slopes = Float64Array.from(scale.collection.averages, average => B / average)
  const strengths = new Float32Array(docs.length)
  let next = 0
  for (let index = 0; index < docs.length; index++) {
    const ofType = types[docs[index]!]! * FIELD_COUNT
    const ofDocument = docs[index]! * FIELD_COUNT
    let frequency = 0
    for (let mask = masks[index]!; mask !== 0; mask &= mask - 1) {
      const field = lowestBit(mask)
      const times = counts[next++]! / (1 - B + slopes[field]! * lengths[ofDocument + field]!)
      frequency += weights[ofType + field]! * saturate(times)
    }
    strengths[index] = frequency / (frequency + K1)
  }
  return strengths
}

/** 1 for one occurrence, and below 1 + REPEATS for any number of them. */
function saturate(times: number): number {
  return (times * (1 + REPEATS)) / (times + REPEATS)
}

/** Type 0 has no weights, and no document in a list has that type. */
function padded(weights: FieldWeights): readonly number[] {
  return SEARCH_FIELDS.map((_, field) => weights[field] ?? 0)
}

/** One word or phrase of a query, in one space. */
export interface ScoredLeaf {
  readonly docs: Uint32Array
  readonly strengths: Float32Array
  /** How many documents of all spaces have it. */
  readonly holders: number
  /** How often the query has it. */
  readonly times: number
}

/** How much each leaf of a query counts, and all of them together. */
export function leafShares(
  leaves: readonly Pick<ScoredLeaf, 'holders' | 'times'>[],
  documents: number,
): { readonly shares: readonly number[]; readonly bound: number } {
  const shares = leaves.map(leaf => saturate(leaf.times) * rarity(leaf.holders, documents))
  return { shares, bound: shares.reduce((sum, share) => sum + share, 0) }
}

/**
 * Fills in the score of every document of a space: 0 for none of the words, below 1 for a perfect match.
 * Returns how much all words together count.
 */
export function scoreDocuments(
  scores: Float32Array,
  leaves: readonly ScoredLeaf[],
  documents: number,
): number {
  scores.fill(0)
  const { shares, bound } = leafShares(leaves, documents)
  leaves.forEach((leaf, index) => {
    addScores(scores, leaf, shares[index]! / bound)
  })
  return bound
}

/** Adds what one leaf counts to the scores of the documents that have it. */
export function addScores(scores: Float32Array, { docs, strengths }: ScoredLeaf, share: number): void {
  for (let index = 0; index < docs.length; index++) scores[docs[index]!]! += share * strengths[index]!
}

/** The inverse document frequency: low for a word that nearly all documents have. */
export function rarity(holders: number, documents: number): number {
  return Math.log(1 + (documents - holders + 0.5) / (holders + 0.5))
}

/** Scores are compared and shown with four decimals, so that scores that look equal are equal. */
export function roundScore(score: number): number {
  return Math.round(Math.max(0, Math.min(1, score)) * 10_000) / 10_000
}
