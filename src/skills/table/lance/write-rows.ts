// Makes the table hold the rows of a scan. Every write is one commit of LanceDB, so readers never see half of one. An
// interrupted sync leaves rows missing, which the next comparison finds.
import type { Connection, Table } from '@lancedb/lancedb'
import type { TextEmbedder } from '../../../search/index.ts'
import type { SyncReport } from '../../read/records.ts'
import { planSync, type StoredRow } from '../sync-plan.ts'
import type { ToolRow } from '../tool-row.ts'
import { findTable } from './find-table.ts'
import type { Arrow, Lance } from './load-lance.ts'
import { hasSchema, rowSchema, SEARCHED, TABLE, vectorLength, withVectors } from './row-schema.ts'
import { quoteSql } from './sql-text.ts'

export interface OpenLance {
  readonly lance: Lance
  readonly arrow: Arrow
  readonly connection: Connection
}

export interface WrittenRows {
  readonly report: SyncReport
  /** Whether anything had to be written: rows or an index. */
  readonly wrote: boolean
  /** How long the vectors of the rows are, or null. */
  readonly dimensions: number | null
}

const IDS_PER_DELETE = 500

/** Writes what differs. */
export async function updateRows(
  open: OpenLance,
  rows: readonly ToolRow[],
  embedder: TextEmbedder | undefined,
): Promise<WrittenRows> {
  const { lance, arrow, connection } = open
  const schema = await rowSchema(arrow, embedder)
  const dimensions = vectorLength(schema) ?? null
  const found = await findTable(connection, TABLE)
  const table = found ?? (await connection.createEmptyTable(TABLE, schema, { existOk: true }))
  try {
    const { report, upserts, removals } = planSync(rows, await readStored(table))
    if (!hasSchema(await table.schema(), schema)) {
      // Written by another version or with another embedder: every row must be rewritten.
      await replaceRows(open, rows, embedder)
      return { report, wrote: true, dimensions }
    }
    // Vectors are requested before anything is removed: a provider that fails leaves the table unchanged.
    const data =
      upserts.length > 0 ? lance.makeArrowTable(await withVectors(upserts, embedder), { schema }) : undefined
    for (let from = 0; from < removals.length; from += IDS_PER_DELETE) {
      const ids = removals.slice(from, from + IDS_PER_DELETE).map(quoteSql)
      await table.delete(`id IN (${ids.join(', ')})`)
    }
    if (data) await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
    const changed = upserts.length + removals.length > 0
    const indexed = rows.length > 0 && (await indexRows(lance, table, changed))
    return { report, wrote: !found || changed || indexed, dimensions }
  } finally {
    table.close()
  }
}

/** Replaces the table. */
export async function replaceRows(
  { lance, arrow, connection }: OpenLance,
  rows: readonly ToolRow[],
  embedder: TextEmbedder | undefined,
): Promise<void> {
  const schema = await rowSchema(arrow, embedder)
  const data = await withVectors(rows, embedder)
  const table =
    data.length === 0
      ? await connection.createEmptyTable(TABLE, schema, { mode: 'overwrite' })
      : await connection.createTable(TABLE, lance.makeArrowTable(data, { schema }), { mode: 'overwrite' })
  try {
    if (data.length > 0) await indexRows(lance, table, true)
  } finally {
    table.close()
  }
}

/** Creates missing indexes of the searched columns, and adds rows that are not indexed; false when there was nothing to do. */
async function indexRows(lance: Lance, table: Table, changed: boolean): Promise<boolean> {
  const existing = new Set((await table.listIndices()).flatMap(index => index.columns))
  const missing = Object.keys(SEARCHED).filter(column => !existing.has(column))
  for (const column of missing) {
    await table.createIndex(column, {
      config: lance.Index.fts({ withPosition: false, stem: true, removeStopWords: true, asciiFolding: true }),
    })
  }
  const isBehind = changed || (await hasUnindexed(table))
  if (isBehind) await table.optimize()
  return missing.length > 0 || isBehind
}

/** True after a sync that was killed when its rows were written. */
async function hasUnindexed(table: Table): Promise<boolean> {
  const names = (await table.listIndices()).map(index => index.name)
  const stats = await Promise.all(names.map(name => table.indexStats(name)))
  return stats.some(one => one !== undefined && one.numUnindexedRows > 0)
}

async function readStored(table: Table): Promise<StoredRow[]> {
  const names = (await table.schema()).names
  const columns = ['id', 'digest'].filter(name => names.includes(name))
  if (!columns.includes('id')) return []
  const rows = await table.query().select(columns).toArray()
  return rows.map(row => ({ id: String(row.id), digest: String(row.digest ?? '') }))
}
