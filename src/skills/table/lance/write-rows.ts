// Makes the table hold the rows of a scan. Every write is one commit of LanceDB, so readers never see half of one. An
// interrupted sync leaves rows missing, which the next comparison finds.
import type { Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { findTable, hasSchema, type OpenLance, quoteSql, vectorLength } from '../../../lance/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import type { SyncReport } from '../../read/records.ts'
import type { CollectedRows } from '../collect-rows.ts'
import { planSync, type StoredRow } from '../sync-plan.ts'
import { markModel, rowSchema, TABLE, withVectors } from './row-schema.ts'
import { indexRows } from './table-indexes.ts'

export interface RowsToWrite extends Pick<CollectedRows, 'wanted' | 'rows'> {
  readonly embedder: TextEmbedder | undefined
  /** The version of the table when its indexes were last brought up to date. */
  readonly optimizedAt: number
  /** How long old versions are kept. */
  readonly keepMs: number
  /** Ends the work between two commits. */
  readonly signal?: AbortSignal | undefined
}

export interface WrittenRows {
  readonly report: SyncReport
  /** Whether anything had to be written: rows or an index. */
  readonly wrote: boolean
  readonly optimizedAt: number
  /** How long the vectors of the rows are, or null. */
  readonly dimensions: number | null
}

const IDS_PER_DELETE = 500

/** Writes what differs. */
export async function updateRows(open: OpenLance, work: RowsToWrite): Promise<WrittenRows> {
  const { arrow, connection } = open
  const { embedder } = work
  const schema = await rowSchema(arrow, embedder)
  const found = await findTable(connection, TABLE)
  let table = found ?? (await connection.createEmptyTable(TABLE, schema, { existOk: true }))
  try {
    const wanted = new Map([...work.wanted].map(([id, digest]) => [id, markModel(digest, embedder)]))
    const { report, repeated, ...plan } = planSync(wanted, await readStored(table))
    let { upserts } = plan
    if (!hasSchema(await table.schema(), schema)) {
      // Written by another version or with another embedder: every row must be rewritten.
      table.close()
      table = await connection.createEmptyTable(TABLE, schema, { mode: 'overwrite' })
      upserts = new Set(wanted.keys())
    }
    await writeBatches(open, { table, schema, upserts, repeated }, work)
    await deleteRows(table, report.deleted, work.signal)
    const changed = upserts.size + report.deleted.length > 0
    const { wrote, optimizedAt } = await indexRows(open.lance, table, {
      rows: wanted.size,
      optimizedAt: found ? work.optimizedAt : 0,
      embedder,
      keepMs: work.keepMs,
    })
    return {
      report,
      wrote: !found || changed || wrote,
      optimizedAt,
      dimensions: vectorLength(schema) ?? null,
    }
  } finally {
    table.close()
  }
}

/** Throws the table away and makes an empty one. */
export async function clearTable(
  { arrow, connection }: OpenLance,
  embedder: TextEmbedder | undefined,
): Promise<void> {
  const schema = await rowSchema(arrow, embedder)
  const table = await connection.createEmptyTable(TABLE, schema, { mode: 'overwrite' })
  table.close()
}

interface Batches {
  readonly table: Table
  readonly schema: Schema
  readonly upserts: ReadonlySet<string>
  readonly repeated: readonly string[]
}

/** Vectors are requested before anything is removed: a provider that fails at the start leaves the table unchanged. */
async function writeBatches(
  { lance }: OpenLance,
  { table, schema, upserts, repeated }: Batches,
  { rows, embedder, signal }: RowsToWrite,
): Promise<void> {
  if (upserts.size === 0) return
  let isFirst = true
  for await (const batch of rows(upserts)) {
    signal?.throwIfAborted()
    const data = lance.makeArrowTable(await withVectors(batch, embedder), { schema })
    if (isFirst) await deleteRows(table, repeated, signal)
    isFirst = false
    await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
  }
}

async function deleteRows(
  table: Table,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_PER_DELETE) {
    signal?.throwIfAborted()
    const some = ids.slice(from, from + IDS_PER_DELETE).map(quoteSql)
    await table.delete(`id IN (${some.join(', ')})`)
  }
}

/** By columns: an object for each row would take longer than the query. */
async function readStored(table: Table): Promise<StoredRow[]> {
  const names = (await table.schema()).names
  const columns = ['id', 'digest'].filter(name => names.includes(name))
  if (!columns.includes('id')) return []
  const found = await table.query().select(columns).toArrow()
  // One after the other: to get a value by its number is to look for its batch.
  const digests = [...(found.getChild('digest') ?? [])]
  return [...(found.getChild('id') ?? [])].map((id, row) => ({
    id: String(id),
    digest: String(digests[row] ?? ''),
  }))
}
