import type { ItemType, Space } from '../../../item/index.ts'
import type { SearchRow } from '../../../search/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import type { Shadow } from '../../definition/answer-parts.ts'

export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** All matches, also those not on this page. */
  readonly total: number
  readonly query: string
  readonly scope: string
  readonly space: 'all' | 'local' | Space
  readonly limit: number
  readonly offset: number
  /** `hybrid` when meaning counted beside words. */
  readonly search_type: 'keyword' | 'hybrid'
  readonly warning?: string
  /** When nothing was found. */
  readonly hint?: string
}

export interface SearchResult {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  /** 0 to 1, four decimals. */
  readonly score: number
  readonly type: ItemType
  readonly source: Space
  /** Empty for an item that could not be loaded. */
  readonly preview: string
  readonly signed: boolean
  readonly trust: Verdict
  readonly shadows?: readonly Shadow[]
  readonly shadowed_by?: Space
  /** Some of the words are missing. */
  readonly partial?: true
  /** Words that matched, by field. */
  readonly matched?: SearchRow['matched']
}
