// A search of the index, and its answer.
import type { ItemType, Space } from '../../item/index.ts'
import type { FieldQueries, Filters, Query, Scope, SearchField } from '../../query/index.ts'
import type { MatchMode } from '../match/compile-query.ts'
import type { TermSplitter } from '../match/term-words.ts'
import type { FieldWeights } from '../rank/field-weights.ts'
import type { SearchDocument } from '../text/document.ts'
import type { Synonyms } from '../text/synonyms.ts'

/** Approved items by name. The values do not matter here. */
export type Approved = ReadonlyMap<string, unknown>

/** What a facet reads of a hit. */
export interface FacetItem {
  readonly type: ItemType
  readonly id: string
  readonly space: Space
  readonly category: string
}

export interface Facet {
  readonly name: string
  /**
   * The value of an item; an empty text is not counted. Values are kept for as long as the same function is
   * given.
   */
  readonly of: (item: FacetItem) => string
  /** Only hits with this value are left. */
  readonly chosen?: string | undefined
}

/** By name of a facet, how many hits each value has. */
export type FacetCounts = ReadonlyMap<string, ReadonlyMap<string, number>>

export interface SearchRequest {
  readonly query: Query
  /** The query as typed: an item of exactly this id or name comes first. */
  readonly text: string
  readonly match: MatchMode
  /** Edits allowed in a bare word; 0 for none. */
  readonly fuzzy: number
  /** Words allowed between bare words; undefined for no proximity. */
  readonly proximity: number | undefined
  readonly fields: FieldQueries
  readonly filters: Filters
  readonly scope: Scope
  /** Spaces to search; word statistics always come from all spaces. */
  readonly spaces: readonly Space[]
  readonly sortBy: 'score' | 'date' | 'name'
  readonly offset: number
  readonly limit: number
  /** Leaves out hits that are far behind an item that has all words of the question. */
  readonly isBrief?: boolean
  /**
   * Called with the rows of the page, and then with those of each batch that followed. Returns which hits
   * after the page that may be signed are wanted next; undefined for no more. The first answer holds for all
   * batches. The number of hits is bounded.
   */
  readonly wantsSigned?: (rows: readonly SearchRow[]) => SignedHits | undefined
  /**
   * Among equal items, the first that this accepts stands for all. It is asked about a limited number of
   * them.
   */
  readonly prefers?: (row: SearchRow) => boolean
  /**
   * `prefers` accepts nothing that cannot be verified, so items without a signature or an approval get no
   * preview.
   */
  readonly prefersSigned?: boolean
  /** Terms of the query that were split before. */
  readonly terms?: TermSplitter
  /** Synonyms of bare words of the query. */
  readonly synonyms?: Synonyms
  /** Items that may be verified although they have no signature. */
  readonly approved?: Approved
  /** Finds only items that may be verified. */
  readonly onlySigned?: boolean
  /** The facets by which the answer is narrowed and counted. */
  readonly facets?: readonly Facet[]
  /** Whether the answer lists words that do not occur. */
  readonly suggests?: boolean
  /** Finds nothing unless some item has all words or is named by the query. */
  readonly needsAllWords?: boolean
  /**
   * The embedding of the query, when there is an embedder. It counts for questions, and for items with a
   * vector of the same length.
   */
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  /** From the extractor of each type. */
  readonly weights: ReadonlyMap<ItemType, FieldWeights>
}

/** Hits after a page: those of its last tier that score at least this, or all. */
export type SignedHits = { readonly least: number } | 'all'

/** What results show of a document as it was indexed. */
type ShownFields =
  | 'id'
  | 'name'
  | 'title'
  | 'description'
  | 'category'
  | 'version'
  | 'date'
  | 'tags'
  | 'parameters'

export interface SearchRow extends Pick<SearchDocument, ShownFields> {
  readonly space: Space
  /** All spaces that have an item of this type and id, in order of precedence. */
  readonly spaces: readonly Space[]
  readonly type: ItemType
  readonly path: string
  readonly extension: string
  readonly hash: string
  /** 0 to 1, four decimals. */
  readonly score: number
  /** How much of the score is meaning, from 0 to 1; undefined when it did not count, and for a named item. */
  readonly meaningShare: number | undefined
  /** One of `TIER`, which counts before the score. */
  readonly tier: number
  /** Some of the words are missing. */
  readonly partial: boolean
  /** How many equal items were found, this one among them. */
  readonly copies: number
  /** Words of the item that matched, by field. */
  readonly matched: Partial<Record<SearchField, readonly string[]>>
  /** A few words of the text around the match; empty when they say nothing new, or may not be quoted. */
  readonly preview: string
}

export interface SearchAnswer {
  /** The page, and signed hits after it, if they were wanted. */
  readonly rows: readonly SearchRow[]
  /** All matches, not only those on this page; equal ones count once. */
  readonly total: number
  /** How many of them are on no page, because they are weak. */
  readonly weaker: number
  /** How many more hits there would be without `onlySigned`. */
  readonly unsigned: number
  /** The counts of the request's facets. */
  readonly facets?: FacetCounts
  /** Meaning counted besides words. */
  readonly byMeaning: boolean
  /** Patterns that match more words than were searched for. */
  readonly capped: readonly string[]
  /** If `suggests` is set: words of the query that do not occur, each with the nearest words that do. */
  readonly unknown: readonly { readonly word: string; readonly nearest: readonly string[] }[]
  /** Spaces whose index was recreated, so items may be missing: update them and search again. */
  readonly reset: readonly Space[]
}
