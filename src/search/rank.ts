// The score. BM25F: a word counts by the weight of its field and by how long that field is beside the average one; then
// it saturates, and rare words count more. The sum is divided by what a perfect match would have, so scores lie in 0..1.
import { SEARCH_FIELDS } from '../query/index.ts'
import type { FieldWeights } from './document.ts'
import type { Postings } from './postings.ts'

/** How late a repeated word saturates; 0 would count presence alone. The usual 1.2 is for words that count once: here the
 * weights of the fields multiply them, and the mean weight of a match is near 2. */
const K1 = 2
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

/** One word or phrase of a query: where it stands in one space, and how many documents of all spaces have it. */
export interface ScoredLeaf {
  readonly postings: Postings
  readonly holders: number
}

export interface Scale {
  /** By type, as `DocumentTable` numbers them. */
  readonly weights: readonly FieldWeights[]
  readonly collection: Collection
}

/** Fills in the score of every document of a space, by number: 0 for none of the words, below 1 for all at their best. */
export function scoreDocuments(
  scores: Float64Array,
  leaves: readonly ScoredLeaf[],
  { table, scale }: { readonly table: DocumentTable; readonly scale: Scale },
): void {
  scores.fill(0)
  const rarities = leaves.map(leaf => rarity(leaf.holders, scale.collection.documents))
  const bound = rarities.reduce((sum, value) => sum + value, 0)
  leaves.forEach(({ postings }, index) => {
    addScores(scores, postings, { table, scale, share: rarities[index]! / bound })
  })
}

function addScores(
  scores: Float64Array,
  postings: Postings,
  part: { readonly table: DocumentTable; readonly scale: Scale; readonly share: number },
): void {
  const { types, lengths } = part.table
  const { averages } = part.scale.collection
  const { docs, masks, counts } = postings
  let next = 0
  for (let index = 0; index < docs.length; index++) {
    const doc = docs[index]!
    const weights = part.scale.weights[types[doc]!]!
    let frequency = 0
    for (let mask = masks[index]!; mask !== 0; mask &= mask - 1) {
      const field = 31 - Math.clz32(mask & -mask)
      const length = lengths[doc * FIELDS + field]! / averages[field]!
      frequency += (weights[field]! * counts[next++]!) / (1 - B + B * length)
    }
    scores[doc]! += (part.share * frequency) / (frequency + K1)
  }
}

/** How much it says that a document has this word: little when nearly all have it. */
function rarity(holders: number, documents: number): number {
  return Math.log(1 + (documents - holders + 0.5) / (holders + 0.5))
}

/** Scores are compared and shown with four decimals, so that equal ones are ties. */
export function roundScore(score: number): number {
  return Math.round(Math.max(0, Math.min(1, score)) * 10_000) / 10_000
}
