// What a search reads of one stored space: its words, its documents, its columns. SQLite implements it
// (`sqlite/read/space-reader.ts`), and so does memory (`memory/memory-space.ts`); nothing in this folder
// knows of either.
import type { Space } from '../../item/index.ts'
import type { Pattern } from '../match/compiled-query.ts'
import type { DocSet } from '../match/doc-set.ts'
import type { TermSource } from '../match/match-leaf.ts'
import type { Postings } from '../match/postings/postings.ts'
import type { Scale, TableTotals } from '../rank/score.ts'
import type { VectorTable } from '../rank/vector-table.ts'
import type { Approved, SearchRow } from './search-request.ts'

/** One space of a search. */
export interface OpenSpace {
  readonly space: Space
  readonly reader: StoredSpace
  /** What is known of a whole collection, when the documents are only the candidates from it. */
  readonly statistics?: CollectionStatistics
}

export interface CollectionStatistics {
  readonly documents: number
  /** How many documents have a word, by its stem. The counts may be somewhat old. */
  readonly holders: ReadonlyMap<string, number>
}

/** The words and documents of a space at one moment. */
export interface StoredSpace extends TermSource {
  readonly totals: TableTotals
  /** Memory for scores, reused by every search. */
  readonly scores: Float32Array
  /** Like `scores`, for a second number of each document, such as its coverage. */
  readonly spare: Float32Array
  readonly items: StoredColumns
  readonly rows: StoredRows
  /** The word of a term that `expand` returned. */
  wordOf(term: number): string
  /**
   * The fields of each document that have each term, as bits: for the first term those of all documents, and
   * so on.
   */
  masksOf(terms: readonly number[], docs: readonly number[]): Uint8Array
  /** How much each document of a list is about its word. */
  strengths(postings: Postings, scale: Scale): Float32Array
  /**
   * Documents of one item type, numbered from 1, or of all types: 0. The set is shared and must be copied
   * before a change.
   */
  docsOfType(wanted: number): DocSet
  /** The vectors of a model that have this length. */
  vectors(model: string, dimensions: number): VectorTable
  /** The keys by which equal items are found, as `findCopies` takes them; 0 for deleted documents. */
  copyKeys(): Uint32Array
  /** Whether any document has a word that the pattern accepts. */
  hasMatch(pattern: Pattern): boolean
  /** Words of the space that are near a word that may be misspelled. */
  nearest(word: string): string[]
}

/** Columns of the items of a space, by document number. */
export interface StoredColumns {
  /** The rank of each document in the order of ids; only ranks of one space can be compared. */
  idRanks(): Uint32Array
  names(): readonly string[]
  /**
   * Documents that may be verified: those that may bear a signature, and those that were approved, by
   * `TYPE:ID.EXTENSION` or `skill:ID`.
   */
  mayBeVerified(approved: Approved | undefined): ReadonlySet<number>
  /** The date that each item states. */
  dates(): readonly (number | undefined)[]
  /**
   * The value of each document as JSON, by field; undefined or an empty text when it has none. May have more
   * fields than asked for.
   */
  values(fields: readonly string[]): ReadonlyMap<string, readonly string[]>
  /** Documents whose id is below a namespace, or, with `self`, is the namespace. */
  docsBelow(namespace: string, self: boolean): number[]
  docsOfId(id: string): number[]
  /** Documents with any spelling of any of these names; each key is a `nameKey`. */
  docsOfNames(keys: readonly string[]): number[]
  /** Documents of one name with exactly this spelling. */
  docsSpelled(key: string, name: string): number[]
  has(type: string, id: string): boolean
}

/** Items as results show them. */
export interface StoredRows {
  row(doc: number): StoredItem
  /** The text for its preview. It may be long, and most answers quote few items or none. */
  text(doc: number): string
}

export type StoredItem = Omit<
  SearchRow,
  'space' | 'spaces' | 'score' | 'meaningShare' | 'tier' | 'partial' | 'copies' | 'matched' | 'preview'
>
