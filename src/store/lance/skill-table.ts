// The `skills` table of LanceDB, on a directory or on any address that LanceDB accepts. Every write is one commit of
// LanceDB, so a reader sees a whole state; a sync that is killed between two of them is finished by the next, which
// compares all rows. On a directory a lock keeps two syncs apart. At an address there is none: two may insert the same
// row, or one may lose a commit, so a sync there looks again after writing and goes on until the table is as it should be.
import { join, resolve } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import { AppError } from '../../base/index.ts'
import { planSync, type StoredRow, type SyncReport, type ToolRow } from '../../skill/index.ts'
import type { Embedder } from '../embedder.ts'
import { acquireLock } from '../file-lock.ts'
import { type Arrow, type Lance, loadLance } from './load-lance.ts'
import { hasSchema, markModel, rowSchema, SEARCHED, TABLE, withVectors } from './row-schema.ts'
import { type RouteAnswer, type RouteOptions, searchTools } from './search-tools.ts'
import { readSyncState, writeSyncState } from './sync-state.ts'

export interface SkillTableOptions {
  /** A directory, or `s3://`, `gs://`, `az://` ...; credentials come from the environment. */
  readonly uri: string
  readonly embedder?: Embedder
}

export interface ScannedRows {
  readonly rows: readonly ToolRow[]
  /** Of the very files that the rows were read from. */
  readonly fingerprint: string
}

export interface SkillTable {
  /** The last sync's answer again, when neither files nor table have changed since; else undefined. */
  unchanged(fingerprint: string): Promise<SyncReport | undefined>
  /** Makes the table hold these rows, writing only what differs. */
  sync(scanned: ScannedRows): Promise<SyncReport>
  /** Writes all rows anew. */
  rebuild(scanned: ScannedRows): Promise<SyncReport>
  /** Throws `ITEM_NOT_FOUND` when there is no table. */
  search(query: string, options?: RouteOptions): Promise<RouteAnswer>
  close(): void
}

const LOCK = { waitMs: 120_000, holdMs: 900_000 }
const IDS_PER_DELETE = 500
const MOST_ATTEMPTS = 12
const PAUSE_MS = 200

export async function openSkillTable(options: SkillTableOptions): Promise<SkillTable> {
  const { lance, arrow } = await loadLance()
  const uri = isAddress(options.uri) ? options.uri : resolve(options.uri)
  const connection = await connect(lance, uri)
  const parts: Parts = { lance, arrow, connection, uri, embedder: options.embedder }
  let opened: Promise<Table> | undefined
  const locked = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isAddress(uri)) return guard(uri, work)
    const lock = await acquireLock(join(uri, '.skills.lock'), LOCK)
    try {
      return await guard(uri, work)
    } finally {
      lock.release()
    }
  }
  const mark = ({ rows, fingerprint }: ScannedRows): ScannedRows => ({
    rows: markModel(rows, options.embedder),
    fingerprint: markFingerprint(fingerprint, options.embedder),
  })
  const update = isAddress(uri) ? syncUntilSame : syncRows
  return {
    unchanged: fingerprint =>
      guard(uri, () => findUnchanged(connection, markFingerprint(fingerprint, options.embedder))),
    sync: scanned => locked(() => update(parts, mark(scanned))),
    rebuild: scanned => locked(() => rebuildRows(parts, mark(scanned))),
    search: (query, routeOptions = {}) =>
      guard(uri, async () => {
        opened ??= openExisting(connection, uri)
        opened.catch(() => {
          opened = undefined
        })
        return searchTools({ lance, table: await opened, embedder: options.embedder }, query, routeOptions)
      }),
    close: () => connection.close(),
  }
}

function markFingerprint(fingerprint: string, embedder: Embedder | undefined): string {
  return embedder ? `${fingerprint} ${embedder.model}` : fingerprint
}

interface Parts {
  readonly lance: Lance
  readonly arrow: Arrow
  readonly connection: Connection
  readonly uri: string
  readonly embedder: Embedder | undefined
}

async function connect(lance: Lance, uri: string): Promise<Connection> {
  // Zero: every query looks for what other processes have written.
  return guard(uri, () => lance.connect(uri, { readConsistencyInterval: 0 }))
}

async function findUnchanged(connection: Connection, fingerprint: string): Promise<SyncReport | undefined> {
  const state = await readSyncState(connection)
  if (state?.fingerprint !== fingerprint) return undefined
  const names = await connection.tableNames()
  if (!names.includes(TABLE)) return undefined
  const table = await connection.openTable(TABLE)
  try {
    if ((await table.version()) !== state.version) return undefined
  } finally {
    table.close()
  }
  return { added: [], updated: [], deleted: [], unchanged_count: state.rows }
}

async function syncUntilSame(parts: Parts, scanned: ScannedRows): Promise<SyncReport> {
  let report: SyncReport | undefined
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    try {
      const latest = await syncRows(parts, scanned)
      report ??= latest
      if (latest.unchanged_count === scanned.rows.length && latest.deleted.length === 0) return report
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown
    }
    // Apart from the others, or they would meet again.
    await new Promise(done => setTimeout(done, Math.random() * attempt * PAUSE_MS))
  }
  throw new AppError('REMOTE_FAILED', `others kept writing to the table at \`${parts.uri}\``, {
    hint: 'sync again when they are done',
  })
}

/** Another writer was quicker; what it wrote is there to be read now. */
function isConflict(thrown: unknown): boolean {
  return thrown instanceof Error && /conflict|already exists|retry/i.test(thrown.message)
}

async function syncRows(parts: Parts, scanned: ScannedRows): Promise<SyncReport> {
  const { lance, arrow, connection, embedder } = parts
  const schema = await rowSchema(arrow, embedder)
  const names = await connection.tableNames()
  const table = names.includes(TABLE)
    ? await connection.openTable(TABLE)
    : await connection.createEmptyTable(TABLE, schema, { existOk: true })
  try {
    if (!hasSchema(await table.schema(), schema)) {
      // Written by another version or with another embedder: every row has to be written anew.
      const { report } = planSync(scanned.rows, await readStored(table))
      await rebuildRows(parts, scanned)
      return report
    }
    const { report, upserts, removals } = planSync(scanned.rows, await readStored(table))
    for (let from = 0; from < removals.length; from += IDS_PER_DELETE) {
      const list = removals
        .slice(from, from + IDS_PER_DELETE)
        .map(quote)
        .join(', ')
      await table.delete(`id IN (${list})`)
    }
    if (upserts.length > 0) {
      const data = lance.makeArrowTable(await withVectors(upserts, embedder), { schema })
      await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
    }
    await finish(parts, table, scanned, upserts.length + removals.length > 0)
    return report
  } finally {
    table.close()
  }
}

async function rebuildRows(parts: Parts, scanned: ScannedRows): Promise<SyncReport> {
  const { lance, arrow, connection, embedder } = parts
  const schema = await rowSchema(arrow, embedder)
  const rows = await withVectors(scanned.rows, embedder)
  const table =
    rows.length === 0
      ? await connection.createEmptyTable(TABLE, schema, { mode: 'overwrite' })
      : await connection.createTable(TABLE, lance.makeArrowTable(rows, { schema }), { mode: 'overwrite' })
  try {
    await finish(parts, table, scanned, true)
  } finally {
    table.close()
  }
  return { added: scanned.rows.map(row => row.id), updated: [], deleted: [], unchanged_count: 0 }
}

/** Indexes what was written, then notes what the table now stands for. */
async function finish(parts: Parts, table: Table, scanned: ScannedRows, changed: boolean): Promise<void> {
  const { lance, connection } = parts
  if (scanned.rows.length > 0) {
    const existing = new Set((await table.listIndices()).flatMap(index => index.columns))
    for (const column of Object.keys(SEARCHED)) {
      if (existing.has(column)) continue
      await table.createIndex(column, {
        config: lance.Index.fts({
          withPosition: false,
          stem: true,
          removeStopWords: true,
          asciiFolding: true,
        }),
      })
    }
  }
  if (changed) await table.optimize()
  const version = await table.version()
  await writeSyncState(connection, { fingerprint: scanned.fingerprint, version, rows: scanned.rows.length })
}

async function readStored(table: Table): Promise<StoredRow[]> {
  const names = (await table.schema()).names
  const columns = ['id', 'digest'].filter(name => names.includes(name))
  if (!columns.includes('id')) return []
  const rows = await table.query().select(columns).toArray()
  return rows.map(row => ({ id: String(row.id), digest: String(row.digest ?? '') }))
}

async function openExisting(connection: Connection, uri: string): Promise<Table> {
  const names = await connection.tableNames()
  if (names.includes(TABLE)) return connection.openTable(TABLE)
  throw new AppError('ITEM_NOT_FOUND', `no table \`${TABLE}\` at \`${uri}\``, {
    hint: `make it with: rye skills sync DIR --lance ${uri}`,
  })
}

/** What LanceDB throws is about the place it was given: unreachable, forbidden, full. */
async function guard<T>(uri: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause
    const message = cause.message.split('\n', 1)[0]!.slice(0, 300)
    throw new AppError('REMOTE_FAILED', `LanceDB at \`${uri}\`: ${message}`, { cause })
  }
}

function isAddress(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri)
}

function quote(id: string): string {
  return `'${id.replaceAll("'", "''")}'`
}
