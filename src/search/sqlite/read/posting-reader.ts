// The postings of terms: read, decoded, without deleted documents, and cached for the next search.
import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import {
  addHeads,
  decodeOccurrences,
  decodePostings,
  findHead,
} from '../../match/postings/decode-postings.ts'
import { keepLive, keepLivePlaces } from '../../match/postings/live-postings.ts'
import { FieldSums, mergePostings } from '../../match/postings/merge-postings.ts'
import type { Occurrences, Postings } from '../../match/postings/postings.ts'
import { chunkOf, keyOf, termOf } from '../chunks.ts'
import type { Statements } from '../statements.ts'
import type { StoredTable } from './document-table.ts'
import { ListCache } from './list-cache.ts'
import { visitLists, visitListsAt } from './many-lists.ts'
import { type HeadRow, readHeads, readPlaces } from './one-list.ts'

/** Bytes of decoded lists kept for the next search. */
const CACHED_BYTES = 32_000_000
/** The lists of more terms than this are added up, not merged. */
const MERGED_LISTS = 2

export class PostingReader {
  readonly #statements: Statements
  readonly #table: StoredTable
  readonly #hasDeleted: boolean
  readonly #lists = new ListCache(CACHED_BYTES)
  #sums: FieldSums | undefined

  constructor(statements: Statements, table: StoredTable, hasDeleted: boolean) {
    this.#statements = statements
    this.#table = table
    this.#hasDeleted = hasDeleted
  }

  postings(term: number): Postings {
    const read = () => {
      const all = this.#decode(readHeads(this.#statements, term))
      if ((all.docs.at(-1) ?? -1) >= this.#table.types.length)
        throw new DamagedIndex('a list names a document that does not exist')
      return this.#hasDeleted ? keepLive(all, this.#table.types) : all
    }
    return this.#lists.get(postingsKey(term), read, postingsSize)
  }

  occurrences(term: number): Occurrences {
    const read = () => {
      const rows = readPlaces(this.#statements, term)
      const postings = this.#hasDeleted ? this.#decode(rows) : this.postings(term)
      const all = decodeOccurrences(rows, postings)
      return this.#hasDeleted ? keepLivePlaces(postings, all, this.#table.types) : all
    }
    return this.#lists.get(`places ${term}`, read, occurrencesSize)
  }

  /** The postings of several terms as one list, cached for every pattern that stands for the same words. */
  union(terms: readonly number[]): Postings {
    const read = () =>
      terms.length <= MERGED_LISTS
        ? mergePostings(terms.map(term => this.postings(term)))
        : this.#addUp(terms)
    return this.#lists.get(`union ${terms.join(' ')}`, read, postingsSize)
  }

  /**
   * The fields of each document that have each term, as bits: term by term. Lists are neither decoded nor
   * cached for this.
   */
  masksOf(terms: readonly number[], docs: readonly number[]): Uint8Array {
    const masks = new Uint8Array(terms.length * docs.length)
    const places = docs.map(doc => this.#chunkWith(doc))
    const chunks = [...new Set(places.map(({ chunk }) => chunk))]
    const rows = new Map(terms.map((term, index) => [term, index]))
    const keys = terms.flatMap(term => chunks.map(chunk => keyOf(term, chunk)))
    visitListsAt(this.#statements, keys, (key, heads) => {
      const start = rows.get(termOf(key))! * docs.length
      places.forEach(({ chunk, base }, index) => {
        if (chunk === chunkOf(key)) masks[start + index] = findHead(heads, docs[index]! - base)
      })
    })
    return masks
  }

  /** Lists that are only added up are neither cached nor made at all. */
  #addUp(terms: readonly number[]): Postings {
    const { types } = this.#table
    const sums = this.#sums ?? new FieldSums(types.length)
    // Dropped if anything throws, because it would hold half of a sum.
    this.#sums = undefined
    const isCached = (term: number) => this.#lists.has(postingsKey(term))
    for (const term of terms) if (isCached(term)) sums.addList(this.postings(term))
    const others = terms.filter(term => !isCached(term))
    visitLists(this.#statements, others, (key, heads) =>
      addHeads(sums, { base: this.#baseOf(key), heads }, types),
    )
    this.#sums = sums
    return sums.take()
  }

  #decode(rows: readonly HeadRow[]): Postings {
    return decodePostings(rows.map(({ key, heads }) => ({ base: this.#baseOf(key), heads })))
  }

  #baseOf(key: number): number {
    return this.#table.bases.get(chunkOf(key)) ?? 0
  }

  #chunkWith(doc: number): { chunk: number; base: number } {
    let found = { chunk: 0, base: 0 }
    for (const [chunk, base] of this.#table.bases)
      if (base <= doc && base >= found.base) found = { chunk, base }
    return found
  }
}

function postingsKey(term: number): string {
  return `heads ${term}`
}

/** The bytes of a list, including the strengths that are kept for it. */
function postingsSize({ docs, counts }: Postings): number {
  return docs.length * 9 + counts.length * 4
}

function occurrencesSize({ starts, places }: Occurrences): number {
  return (starts.length + places.length) * 4
}
