// What a table lacks compared with a scan. A row is the same when its digest is; a row that is there twice is written anew.
import { compareText } from '../read/file-report.ts'
import type { SyncReport } from '../read/records.ts'
import type { ToolRow } from './tool-row.ts'

export interface StoredRow {
  readonly id: string
  readonly digest: string
}

export interface SyncPlan {
  readonly report: SyncReport
  /** To be inserted, or to replace the row of the same id. */
  readonly upserts: readonly ToolRow[]
  /** Ids to be removed first: rows that are gone, and rows that are there more than once. */
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
