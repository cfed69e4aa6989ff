// The `skills` table of LanceDB, on a directory or on any address that LanceDB accepts. A sync writes, looks again, and ends
// when it has seen the table as it should be; only such a state is noted. On a directory a lock keeps two syncs apart. At
// an address there is none: two may insert the same row, or one may lose a commit, and looking again finds it.
import { join, resolve } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { AppError } from '../../../base/index.ts'
import { acquireLock } from '../../../files/index.ts'
import type { Embedder } from '../../../search/index.ts'
import { SCANNER_VERSION } from '../../read/fingerprint.ts'
import type { SkillDiagnostic, SyncReport } from '../../read/types.ts'
import type { ToolRow } from '../tool-row.ts'
import { findTable } from './find-table.ts'
import { notesInFolder } from './folder-note.ts'
import { lanceFault, shownUri } from './lance-fault.ts'
import { loadLance } from './load-lance.ts'
import { markModel, TABLE } from './row-schema.ts'
import { type RouteAnswer, type RouteOptions, searchTools } from './search-tools.ts'
import {
  type FilesSeen,
  findUnchanged,
  type NoteKeeper,
  notesAtAddress,
  type Unchanged,
} from './sync-note.ts'
import { type OpenLance, replaceRows, updateRows } from './write-rows.ts'

export interface SkillTableOptions {
  /** A directory, or `s3://`, `gs://`, `az://` ...; credentials come from the environment. */
  readonly uri: string
  readonly embedder?: Embedder
  /** Where the caller stands, for the command that installs what is missing. */
  readonly directory?: string | undefined
}

export interface ScannedRows {
  readonly rows: readonly ToolRow[]
  /** Of the files before they were read; undefined when that proves nothing. */
  readonly stamp?: string | undefined
  /** Of the very contents that the rows were read from. */
  readonly fingerprint: string
  readonly diagnostics?: readonly SkillDiagnostic[]
}

export interface SkillTable {
  /** The last sync's answer again, when neither files nor table have changed since; else undefined. */
  unchanged(files: FilesSeen): Promise<Unchanged | undefined>
  /** Makes the table hold these rows, writing only what differs. */
  sync(scanned: ScannedRows): Promise<SyncReport>
  /** Writes all rows anew. */
  rebuild(scanned: ScannedRows): Promise<SyncReport>
  /** Throws `ITEM_NOT_FOUND` when there is no table. */
  search(query: string, options?: RouteOptions): Promise<RouteAnswer>
  close(): void
}

const LOCK = { waitMs: 120_000, holdMs: 900_000 }
const MOST_ATTEMPTS = 12
const PAUSE_MS = 200

/** Nothing is loaded or opened before it is needed. */
export function openSkillTable(options: SkillTableOptions): SkillTable {
  const { embedder, directory } = options
  const isRemote = isAddress(options.uri)
  const uri = isRemote ? options.uri : resolve(options.uri)
  let opening: Promise<OpenLance> | undefined
  let opened: Promise<Table> | undefined
  const open = (): Promise<OpenLance> => {
    opening ??= connect(uri, directory)
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  const notes = isRemote ? notesAtAddress(async () => (await open()).connection) : notesInFolder(uri)
  const guarded = <T>(work: () => Promise<T>): Promise<T> => guard(uri, work)
  const locked = async <T>(work: () => Promise<T>): Promise<T> => {
    const lock = isRemote ? undefined : await acquireLock(join(uri, '.skills.lock'), LOCK)
    try {
      return await guarded(work)
    } finally {
      lock?.release()
    }
  }
  const bring = async (scanned: ScannedRows): Promise<SyncReport> =>
    syncUntilSame({ uri, notes, open: await open(), embedder }, scanned)

  return {
    unchanged: files => guarded(() => findUnchanged(notes, files, embedder?.model ?? null)),
    sync: scanned => locked(() => bring(scanned)),
    rebuild: scanned =>
      locked(async () => {
        await replaceRows(await open(), markModel(scanned.rows, embedder), embedder)
        await bring(scanned)
        return { added: scanned.rows.map(row => row.id), updated: [], deleted: [], unchanged_count: 0 }
      }),
    search: (query, routeOptions = {}) =>
      guarded(async () => {
        const { lance, connection } = await open()
        opened ??= openExisting(connection, uri)
        opened.catch(() => {
          opened = undefined
        })
        return searchTools({ lance, table: await opened, embedder }, query, routeOptions)
      }),
    close() {
      opening?.then(
        ({ connection }) => connection.close(),
        () => {},
      )
    },
  }
}

async function connect(uri: string, directory: string | undefined): Promise<OpenLance> {
  const { lance, arrow } = await loadLance(directory)
  // Zero: every query looks for what other processes have written.
  return { lance, arrow, connection: await lance.connect(uri, { readConsistencyInterval: 0 }) }
}

interface SyncParts {
  readonly uri: string
  readonly notes: NoteKeeper
  readonly open: OpenLance
  readonly embedder: Embedder | undefined
}

/** Answers with what the first look found, and notes the state that the last look found to be right. */
async function syncUntilSame(parts: SyncParts, scanned: ScannedRows): Promise<SyncReport> {
  const { notes, open, embedder } = parts
  const rows = markModel(scanned.rows, embedder)
  let report: SyncReport | undefined
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    // Apart from the others, or they would meet again.
    if (attempt > 2) await new Promise(done => setTimeout(done, Math.random() * attempt * PAUSE_MS))
    try {
      const before = await notes.tableStamp()
      const written = await updateRows(open, rows, embedder)
      report ??= written.report
      if (written.wrote || before === undefined || before !== (await notes.tableStamp())) continue
      await notes.write({
        scanner: SCANNER_VERSION,
        model: embedder?.model ?? null,
        stamp: scanned.stamp ?? null,
        fingerprint: scanned.fingerprint,
        table: before,
        rows: rows.length,
        diagnostics: scanned.diagnostics ?? [],
      })
      return report
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown
    }
  }
  throw new AppError('REMOTE_FAILED', `others kept writing to the table at \`${shownUri(parts.uri)}\``, {
    hint: 'sync again when they are done',
  })
}

/** Another writer was quicker; what it wrote is there to be read now. */
function isConflict(thrown: unknown): boolean {
  if (thrown instanceof AppError) return false
  return thrown instanceof Error && /conflict|concurrent|already exists|retry/i.test(thrown.message)
}

async function openExisting(connection: OpenLance['connection'], uri: string): Promise<Table> {
  const table = await findTable(connection, TABLE)
  if (table) return table
  throw new AppError('ITEM_NOT_FOUND', `no table \`${TABLE}\` at \`${shownUri(uri)}\``, {
    hint: `make it with: rye skills sync DIR --lance ${shownUri(uri)}`,
  })
}

/** What LanceDB throws is about the place it was given: unreachable, forbidden, full. */
async function guard<T>(uri: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause
    throw lanceFault(uri, cause)
  }
}

function isAddress(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri)
}
