// How a table differs from a scan. Rows are equal when their digests are; a row that is stored twice is rewritten.
import { compareText } from '../read/file-report.ts'
import type { SyncReport } from '../read/records.ts'
import type { ToolRow } from './tool-row.ts'

export interface StoredRow {
  readonly id: string
  readonly digest: string
}

export interface SyncPlan {
  readonly report: SyncReport
  /** Rows to insert, or to replace the row of the same id. */
  readonly upserts: readonly ToolRow[]
  /** Ids to be removed first: of tools that no longer exist, and of rows that are stored more than once. */
  readonly removals: readonly string[]
}

export function planSync(wanted: readonly ToolRow[], stored: readonly StoredRow[]): SyncPlan {
  const digests = new Map<string, string>()
  const repeated = new Set<string>()
  for (const { id, digest } of stored) {
    if (digests.has(id)) repeated.add(id)
    digests.set(id, digest)
  }
  const ids = new Set(wanted.map(row => row.id))
  const added = wanted.filter(row => !digests.has(row.id))
  const updated = wanted.filter(
    row => digests.has(row.id) && (digests.get(row.id) !== row.digest || repeated.has(row.id)),
  )
  const deleted = [...digests.keys()].filter(id => !ids.has(id)).sort(compareText)
  return {
    upserts: [...added, ...updated],
    removals: [...deleted, ...[...repeated].filter(id => ids.has(id))].sort(compareText),
    report: {
      added: added.map(row => row.id).sort(compareText),
      updated: updated.map(row => row.id).sort(compareText),
      deleted,
      unchanged_count: wanted.length - added.length - updated.length,
    },
  }
}
