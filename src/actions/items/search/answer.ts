// What `search` answers with.
import type { ItemType, Space } from '../../../item/index.ts'
import type { SearchRow } from '../../../search/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import type { Shadow } from '../../definition/answer-parts.ts'

export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** All matches, including those on other pages and those left out. Equal items count once. */
  readonly total: number
  /** How many of them are on no page, because they are far below the best and below a fixed bound. */
  readonly weaker?: number
  readonly query: string
  readonly scope: string
  readonly space: 'all' | 'local' | 'registry' | Space
  readonly limit: number
  readonly offset: number
  /** `hybrid` when meaning counted besides words. */
  readonly search_type: 'keyword' | 'hybrid'
  readonly warning?: string
  /** When nothing, or hardly anything, was found. */
  readonly hint?: string
}

/** With `detail: "brief"` an optional member is present only if it says something. */
export interface SearchResult {
  readonly id: string
  readonly name: string
  /** Brief: when it differs from the name. */
  readonly title?: string
  readonly description: string
  readonly category: string
  /** 0 to 1, four decimals. */
  readonly score: number
  readonly type: ItemType
  readonly source: Space | 'registry'
  /** For a hit in a registry: the bundle that has it, and its version. */
  readonly package?: string
  /** Prose, at most 160 characters. Empty if the item could not be loaded, or if it says nothing new. */
  readonly preview: string
  /** On one line: `path: string, limit?: integer = 10`. */
  readonly parameters?: string
  readonly signed?: boolean
  /** Brief: only if not `verified`, or if something newer was used before; unknown members are left out. */
  readonly trust?: Verdict | BriefVerdict
  readonly shadows?: readonly Shadow[]
  readonly shadowed_by?: Space
  /** Some of the words are missing. */
  readonly partial?: true
  /**
   * How many equal items (by content, or by name and description) the result stands for, if more than one.
   */
  readonly copies?: number
  /** What the score is made of, when meaning counted. */
  readonly score_parts?: { readonly words: number; readonly meaning: number }
  /** Words that matched, by field. */
  readonly matched?: SearchRow['matched']
  /** Only when asked for with `why`. */
  readonly why?: SearchReasons
}

export interface SearchReasons {
  /** What ranks before the score: a name, all words or some. */
  readonly tier: string
  /** The parts of the score, unless a name decided. */
  readonly words?: number
  readonly meaning?: number
  /** The words that matched, by field. */
  readonly fields: SearchRow['matched']
}

export type BriefVerdict = Pick<Verdict, 'status' | 'reason' | 'rolled_back_from'> & {
  readonly signer?: string
}

/** A result with everything that is known. */
export interface FullResult extends SearchResult {
  readonly title: string
  readonly signed: boolean
  readonly trust: Verdict
}
