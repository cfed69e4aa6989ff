// The score. BM25F: a word counts by the weight of its field and by how long that field is beside the average one; it
// saturates in each field, over all of them, and in the question; rare words count more. The sum is divided by what a perfect
// match would have, so scores lie in 0..1.
import { SEARCH_FIELDS } from '../../query/index.ts'
import type { Postings } from '../match/postings/postings.ts'
import type { FieldWeights } from './field-weights.ts'

/** How late a repeated word saturates; 0 would count presence alone. The usual 1.2 is for words that count once: here the
 * weights of the fields multiply them, and the mean weight of a match is near 2. */
const K1 = 2
/** How much more than once a word can count in one field, however often it stands there: a body that names a variable `start` in
 * every other line says hardly more of starting than a description that has the word. The same holds for a word of a question. */
const REPEATS = 2
/** How much the length of a field matters, from 0 (not) to 1 (fully); 0.75 is the usual value. */
const B = 0.75

const FIELDS = SEARCH_FIELDS.length

/** What a score needs to know of the documents of one space, by document number. */
export interface DocumentTable {
  /** 0 for no document, otherwise 1 + index of the type in `ITEM_TYPES`. */
  readonly types: Uint8Array
  /** Words of each field of each document: `lengths[doc * fields + field]`. */
  readonly lengths: Uint32Array
}

/** Over all spaces together, so that equal text scores equal in each. */
export interface Collection {
  readonly documents: number
  /** Mean length of each field, over the documents that have it. */
  readonly averages: readonly number[]
}

/** How many documents a table has, and for each field the words in all and the documents that have it. */
export interface TableTotals {
  readonly documents: number
  readonly words: readonly number[]
  readonly holders: readonly number[]
}

export function totalTable({ types, lengths }: DocumentTable): TableTotals {
  let documents = 0
  const words = new Array<number>(FIELDS).fill(0)
  const holders = new Array<number>(FIELDS).fill(0)
  for (let doc = 0; doc < types.length; doc++) {
    if (types[doc] === 0) continue
    documents++
    for (let field = 0; field < FIELDS; field++) {
      const length = lengths[doc * FIELDS + field]!
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
  /** By type, as `DocumentTable` numbers them. */
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
 * How much each document of a list is about the word, from 0 to 1, however rare the word is. This runs over every place of
 * the word, so it takes plain numbers from flat lists, and makes nothing on the way.
 */
export function strengthsOf(postings: Postings, table: DocumentTable, scale: Scale): Float32Array {
  const { docs, masks, counts } = postings
  const { types, lengths } = table
  const weights = Float64Array.from(scale.weights.flatMap(padded))
  const slopes = Float64Array.from(scale.collection.averages, average => B / average)
  const strengths = new Float32Array(docs.length)
  let next = 0
  for (let index = 0; index < docs.length; index++) {
    const ofType = types[docs[index]!]! * FIELDS
    const ofDocument = docs[index]! * FIELDS
    let frequency = 0
    for (let mask = masks[index]!; mask !== 0; mask &= mask - 1) {
      const field = 31 - Math.clz32(mask & -mask)
      const times = counts[next++]! / (1 - B + slopes[field]! * lengths[ofDocument + field]!)
      frequency += weights[ofType + field]! * saturate(times)
    }
    strengths[index] = frequency / (frequency + K1)
  }
  return strengths
}

/** 1 for once, and never more than 1 + REPEATS. */
function saturate(times: number): number {
  return (times * (1 + REPEATS)) / (times + REPEATS)
}

/** No document has type 0, nor has that any weights. */
function padded(weights: FieldWeights): readonly number[] {
  return SEARCH_FIELDS.map((_, field) => weights[field] ?? 0)
}

/** One word or phrase of a query: the documents of one space that have it, and how many of all spaces do. */
export interface ScoredLeaf {
  readonly docs: Uint32Array
  readonly strengths: Float32Array
  readonly holders: number
  /** How often the query says it. */
  readonly times: number
}

/** Fills in the score of every document of a space, by number: 0 for none of the words, below 1 for all at their best. */
export function scoreDocuments(scores: Float64Array, leaves: readonly ScoredLeaf[], documents: number): void {
  scores.fill(0)
  const shares = leaves.map(leaf => saturate(leaf.times) * rarity(leaf.holders, documents))
  const bound = shares.reduce((sum, value) => sum + value, 0)
  leaves.forEach((leaf, index) => {
    addScores(scores, leaf, shares[index]! / bound)
  })
}

function addScores(scores: Float64Array, { docs, strengths }: ScoredLeaf, share: number): void {
  for (let index = 0; index < docs.length; index++) scores[docs[index]!]! += share * strengths[index]!
}

/** How much it says that a document has this word: little when nearly all have it. */
function rarity(holders: number, documents: number): number {
  return Math.log(1 + (documents - holders + 0.5) / (holders + 0.5))
}

/** Scores are compared and shown with four decimals, so that equal ones are ties. */
export function roundScore(score: number): number {
  return Math.round(Math.max(0, Math.min(1, score)) * 10_000) / 10_000
}
