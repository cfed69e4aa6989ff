// What answering a search asks of one stored space: its words, its documents, its columns. SQLite stands behind it
// (`sqlite/space-reader.ts`); nothing in this folder knows that.

import type { Pattern } from '../match/compiled-query.ts'
import type { DocSet } from '../match/doc-set.ts'
import type { TermSource } from '../match/match-leaf.ts'
import type { Postings } from '../match/postings/postings.ts'
import type { VectorTable } from '../rank/cosine.ts'
import type { Scale, TableTotals } from '../rank/score.ts'
import type { SearchRow } from './search-request.ts'

/** One space's words and documents, as of one moment. */
export interface StoredSpace extends TermSource {
  readonly totals: TableTotals
  /** Memory for the scores of one search after another. */
  readonly scores: Float64Array
  readonly items: StoredColumns
  readonly rows: { row(doc: number): StoredItem }
  wordOf(term: number): string
  /** The fields of one document in which a word stands, as bits. */
  maskOf(term: number, doc: number): number
  strengths(postings: Postings, scale: Scale): Float32Array
  /** Documents of one item type, numbered from 1; 0 is every type. */
  docsOfType(wanted: number): DocSet
  vectors(model: string, dimensions: number): VectorTable
  hasMatch(pattern: Pattern): boolean
  /** Words of the space near one that it does not have. */
  nearest(word: string): string[]
}

/** Whole columns over the documents of a space, by document number. */
export interface StoredColumns {
  /** The place of each document in the order of ids. */
  idRanks(): Uint32Array
  names(): readonly string[]
  dates(): readonly number[]
  /** Dates that items state themselves. */
  ownDates(): readonly (number | undefined)[]
  values(fields: readonly string[]): ReadonlyMap<string, readonly string[]>
  docsBelow(namespace: string, self: boolean): number[]
  docsOfId(id: string): number[]
  docsOfName(key: string): number[]
  docsSpelt(key: string, name: string): number[]
  has(type: string, id: string): boolean
}

/** One item as results show it, and the text that its preview is cut from. */
export interface StoredItem {
  readonly shown: Omit<SearchRow, 'space' | 'spaces' | 'score' | 'partial' | 'matched' | 'preview'>
  readonly text: string
}
