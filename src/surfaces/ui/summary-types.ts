// What the page is told about the whole library: counts, and the items that wait for a decision.
import type { VerdictStatus } from '../../trust/index.ts'

export interface Waiting {
  readonly item_type: string
  readonly item_id: string
  readonly space: string
  readonly status: string
}

export interface Summary {
  readonly counts: readonly { readonly item_type: string; readonly space: string; readonly count: number }[]
  /** Counts of listed items by verdict status. */
  readonly trust: Readonly<Record<string, number>>
  /** The same for files that are signed but not listed: files that tools import, and settings. */
  readonly beside: Readonly<Record<string, number>>
  /** How many wait for a decision, listed or not. */
  readonly open: number
  /** Worst first, cut at more than anyone looks through; `open` counts all. */
  readonly waiting: readonly Waiting[]
  /** The ids of waiting tools that were written for MCP servers. */
  readonly servers_waiting: readonly string[]
}

/** The verdict status of an item; empty when unknown. */
export type StatusOf = (item: {
  readonly type: string
  readonly id: string
  readonly space: string
}) => string

/** The verdicts on everything signed, and their summary. */
export interface JudgedItems {
  readonly summary: Summary
  readonly statuses: Statuses
}

/** The verdict status of everything signed, by name: `tool:ops/deploy@project`. */
export type Statuses = ReadonlyMap<string, VerdictStatus>

/** What the locks of the project and of the user list. */
export interface LockedSources {
  readonly sources: readonly {
    readonly space: 'project' | 'user'
    readonly source: string
    readonly ref?: string
    readonly resolved: string
    /** How many items were taken. */
    readonly items: number
  }[]
}
