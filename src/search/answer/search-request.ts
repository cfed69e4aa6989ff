// What a search asks of the index, and what it gets.
import type { ItemType, Space } from '../../item/index.ts'
import type { FieldQueries, Filters, Query, Scope, SearchField } from '../../query/index.ts'
import type { MatchMode } from '../match/compile-query.ts'
import type { FieldWeights } from '../rank/field-weights.ts'

export interface SearchRequest {
  readonly query: Query
  /** The query as typed: an item of exactly this id or name comes first. */
  readonly text: string
  readonly match: MatchMode
  /** Edits allowed in a bare word; 0 is none. */
  readonly fuzzy: number
  /** Words allowed between bare words; undefined switches proximity off. */
  readonly proximity: number | undefined
  readonly fields: FieldQueries
  readonly filters: Filters
  readonly scope: Scope
  /** Where to look; word statistics always come from every space. */
  readonly spaces: readonly Space[]
  readonly sortBy: 'score' | 'date' | 'name'
  readonly offset: number
  readonly limit: number
  /** The embedding of the query, where embeddings are used; it counts for questions, where items have vectors as long. */
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  /** Of each type's extractor. */
  readonly weights: ReadonlyMap<ItemType, FieldWeights>
}

export interface SearchRow {
  readonly space: Space
  /** All spaces that hold an item of this type and id, in order of precedence. */
  readonly spaces: readonly Space[]
  readonly type: ItemType
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly version: string
  readonly date: number | undefined
  readonly tags: readonly string[]
  readonly path: string
  readonly extension: string
  readonly hash: string
  /** 0 to 1, four decimals. */
  readonly score: number
  /** Some of the words are missing. */
  readonly partial: boolean
  /** Words of the item that matched, by field. */
  readonly matched: Partial<Record<SearchField, readonly string[]>>
  readonly preview: string
}

export interface SearchAnswer {
  readonly rows: readonly SearchRow[]
  /** All matches, also those not on this page. */
  readonly total: number
  /** Meaning counted beside words. */
  readonly byMeaning: boolean
  /** Patterns that accept more words than are searched for. */
  readonly capped: readonly string[]
  /** When nothing was found: the first words of the query that occur nowhere, with the nearest words that do. */
  readonly unknown: readonly { readonly word: string; readonly nearest: readonly string[] }[]
  /** Spaces whose index began anew, so items may be missing: bring them up to date and search again. */
  readonly reset: readonly Space[]
}
