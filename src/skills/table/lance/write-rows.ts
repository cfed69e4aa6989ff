// Makes the table hold the rows of a scan. Every write is one commit of LanceDB, so readers never see half of one. An
// interrupted sync leaves rows missing, which the next comparison finds.
import type { Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import {
  findTable,
  hasSchema,
  makeBatch,
  type OpenLance,
  quoteSql,
  vectorLength,
} from '../../../lance/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import type { SyncReport } from '../../read/records.ts'
import type { CollectedRows } from '../collect-rows.ts'
import { planSync, type StoredRow, type SyncPlan } from '../sync-plan.ts'
import { markModel, rowSchema, TABLE, withVectors } from './row-schema.ts'
import type { SyncNote } from './sync-note.ts'
import { indexRows } from './table-indexes.ts'

export interface RowsToWrite extends Pick<CollectedRows, 'wanted' | 'rows'> {
  /** How the rows differ from a noted state of the table. A table in that state need not be read. */
  readonly noted?: Pick<SyncNote, 'version' | 'dimensions'> & { readonly plan: SyncPlan }
  readonly embedder: TextEmbedder | undefined
  /** The version of the table when its indexes were last brought up to date. */
  readonly optimizedAt: number
  /** How long old versions are kept. */
  readonly keepMs: number
  /** Ends the work between two commits. */
  readonly signal?: AbortSignal | undefined
  /** Differs whenever the table may have changed. */
  stamp(): Promise<string | undefined>
}

export interface WrittenRows {
  readonly report: SyncReport
  /** The table's stamp when it holds exactly these rows. Undefined when they must be compared again. */
  readonly stamp: string | undefined
  readonly version: number
  readonly optimizedAt: number
  /** How long the vectors of the rows are, or null. */
  readonly dimensions: number | null
}

const IDS_PER_DELETE = 500

/** Writes what differs. */
export async function updateRows(open: OpenLance, work: RowsToWrite): Promise<WrittenRows> {
  const { arrow, connection } = open
  const { embedder, noted } = work
  const schema = await rowSchema(arrow, embedder)
  const dimensions = vectorLength(schema) ?? null
  const found = await findTable(connection, TABLE)
  let table = found ?? (await connection.createEmptyTable(TABLE, schema, { existOk: true }))
  try {
    // Read before anything else, so that a commit that comes in between is noticed.
    const before = await table.version()
    const isNoted = found !== undefined && noted?.version === before && noted.dimensions === dimensions
    const { report, repeated, ...plan } = isNoted ? noted.plan : await compareRows(table, work)
    let { upserts } = plan
    const isOfOthers = !isNoted && !hasSchema(await table.schema(), schema)
    if (isOfOthers) {
      // Written by another version or with another embedder: every row must be rewritten.
      table.close()
      table = await connection.createEmptyTable(TABLE, schema, { mode: 'overwrite' })
      upserts = new Set(work.wanted().keys())
    }
    const commits =
      (await writeBatches(open, { table, schema, upserts, repeated }, work)) +
      (await deleteRows(table, report.deleted, work.signal))
    const { wrote, optimizedAt } = await indexRows(open.lance, table, {
      rows: report.unchanged_count + report.added.length + report.updated.length,
      optimizedAt: found ? work.optimizedAt : 0,
      embedder,
      keepMs: work.keepMs,
    })
    const stamp = isOfOthers || wrote ? undefined : await work.stamp()
    const version = await table.version()
    // The version was read after the stamp, so that a commit while the stamp was taken is noticed, too.
    const isOurs = version === before + commits
    return { report, stamp: isOurs ? stamp : undefined, version, optimizedAt, dimensions }
  } finally {
    table.close()
  }
}

async function compareRows(table: Table, { wanted, embedder }: RowsToWrite): Promise<SyncPlan> {
  const marked = new Map([...wanted()].map(([id, digest]) => [id, markModel(digest, embedder)]))
  return planSync(marked, await readStored(table))
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

/**
 * Returns the number of commits. Vectors are requested before anything is removed, so a provider that fails
 * at the start leaves the table unchanged.
 */
async function writeBatches(
  { arrow }: OpenLance,
  { table, schema, upserts, repeated }: Batches,
  { rows, embedder, signal }: RowsToWrite,
): Promise<number> {
  let commits = 0
  if (upserts.size === 0) return commits
  for await (const batch of rows(upserts)) {
    signal?.throwIfAborted()
    const data = makeBatch(arrow, schema, await withVectors(batch, embedder))
    if (commits === 0) commits += await deleteRows(table, repeated, signal)
    await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
    commits++
  }
  return commits
}

/** Returns the number of commits. */
async function deleteRows(
  table: Table,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let commits = 0
  for (let from = 0; from < ids.length; from += IDS_PER_DELETE) {
    signal?.throwIfAborted()
    const some = ids.slice(from, from + IDS_PER_DELETE).map(quoteSql)
    await table.delete(`id IN (${some.join(', ')})`)
    commits++
  }
  return commits
}

/** Reads columns, since making an object for each row would take longer than the query. */
async function readStored(table: Table): Promise<StoredRow[]> {
  const names = (await table.schema()).names
  const columns = ['id', 'digest'].filter(name => names.includes(name))
  if (!columns.includes('id')) return []
  const found = await table.query().select(columns).toArrow()
  // Iterated, since getting a value by its index means finding its batch first.
  const digests = [...(found.getChild('digest') ?? [])]
  return [...(found.getChild('id') ?? [])].map((id, row) => ({
    id: String(id),
    digest: String(digests[row] ?? ''),
  }))
}
