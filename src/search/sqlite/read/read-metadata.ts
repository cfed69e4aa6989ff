// Values of some names in the metadata of all items. The metadata are read once for all names: a caller may
// ask for a hundred, and reading everything a hundred times would take too long.

import { isRecord } from '../../../base/index.ts'
import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import type { Database } from '../load-sqlite.ts'

/**
 * Documents whose metadata reach JavaScript as one string: many at once are faster, all at once may be too
 * long.
 */
const CHUNK = 256

/** By name, the value of each document as JSON. A name that no document has gets an empty column. */
export function readMetadata(
  database: Database,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>(names.map(name => [name, []]))
  const select = database.prepare(
    `SELECT group_concat(doc) AS docs, '[' || group_concat(metadata) || ']' AS records
     FROM (SELECT doc, metadata FROM item WHERE doc >= ? ORDER BY doc LIMIT ${CHUNK})`,
  )
  let next = 0
  for (;;) {
    const chunk = select.get(next) as { docs: string; records: string } | { docs: null }
    if (chunk.docs === null) return columns
    const docs = chunk.docs.split(',').map(Number)
    parseRecords(chunk.records, docs.length).forEach((record, index) => {
      for (const name of Object.keys(record)) {
        const column = columns.get(name)
        if (column) column[docs[index]!] = JSON.stringify(record[name])
      }
    })
    next = docs.at(-1)! + 1
  }
}

function parseRecords(json: string, count: number): Record<string, unknown>[] {
  try {
    const records: unknown = JSON.parse(json)
    if (Array.isArray(records) && records.length === count && records.every(isRecord)) return records
  } catch {
    // Reported below.
  }
  throw new DamagedIndex('the metadata of an item is not JSON')
}
