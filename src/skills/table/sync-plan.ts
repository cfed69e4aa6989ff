// How a table differs from a scan. Rows are equal when their digests are; a row stored twice is rewritten.
import { compareText } from '../read/file-report.ts'
import type { SyncReport } from '../read/records.ts'

export interface StoredRow {
  readonly id: string
  readonly digest: string
}

export interface SyncPlan {
  readonly report: SyncReport
  /** Ids of the rows to insert, or to replace. */
  readonly upserts: ReadonlySet<string>
  /** Ids that are stored more than once: they are removed before they are written. */
  readonly repeated: readonly string[]
}

/** `wanted` has the digest of each id. */
export function planSync(wanted: ReadonlyMap<string, string>, stored: readonly StoredRow[]): SyncPlan {
  const digests = new Map<string, string>()
  const repeated = new Set<string>()
  for (const { id, digest } of stored) {
    if (digests.has(id)) repeated.add(id)
    digests.set(id, digest)
  }
  const ids = [...wanted.keys()]
  const added = ids.filter(id => !digests.has(id)).sort(compareText)
  const updated = ids
    .filter(id => digests.has(id) && (digests.get(id) !== wanted.get(id) || repeated.has(id)))
    .sort(compareText)
  const deleted = [...digests.keys()].filter(id => !wanted.has(id)).sort(compareText)
  return {
    upserts: new Set([...added, ...updated]),
    repeated: [...repeated].filter(id => wanted.has(id)).sort(compareText),
    report: { added, updated, deleted, unchanged_count: ids.length - added.length - updated.length },
  }
}
