// What the page is told about the whole library: counts, and what waits for a decision.
import type { VerdictStatus } from '../../trust/index.ts'

export interface Waiting {
  readonly item_type: string
  readonly item_id: string
  readonly space: string
  readonly status: string
}

export interface Summary {
  readonly counts: readonly { readonly item_type: string; readonly space: string; readonly count: number }[]
  /** By status of the verdict, of those that lists have. */
  readonly trust: Readonly<Record<string, number>>
  /** The same of what is signed and not listed: files that tools import, and settings. */
  readonly beside: Readonly<Record<string, number>>
  /** How many wait for a decision, of both. */
  readonly open: number
  /** Worst first, and no more than anybody looks through; `open` counts all. */
  readonly waiting: readonly Waiting[]
  /** Of tools that were written for MCP servers, the ids of those that wait. */
  readonly servers_waiting: readonly string[]
}

/** The status of the verdict on an item; empty where it is not known. */
export type StatusOf = (item: {
  readonly type: string
  readonly id: string
  readonly space: string
}) => string

/** The verdicts on everything that is signed, and what they come to. */
export interface JudgedItems {
  readonly summary: Summary
  readonly statuses: Statuses
}

/** The status of the verdict on everything that is signed, by its name: `tool:ops/deploy@project`. */
export type Statuses = ReadonlyMap<string, VerdictStatus>

/** What the locks of the project and of the user name. */
export interface LockedSources {
  readonly sources: readonly {
    readonly space: 'project' | 'user'
    readonly source: string
    readonly ref?: string
    readonly resolved: string
    /** How many were taken. */
    readonly items: number
  }[]
}
