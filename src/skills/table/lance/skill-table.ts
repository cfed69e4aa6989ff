// The `skills` table of LanceDB, in a directory or at any address that LanceDB accepts. A sync writes, compares again, and
// ends when nothing differs; only that state is recorded. In a directory, a lock prevents two syncs at a time. At an
// address there is no lock: two syncs may insert the same row, or one may lose a commit, and the next comparison finds it.
import { join, resolve } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { AppError, commandOf, quoteShellWord } from '../../../base/index.ts'
import { acquireLock } from '../../../files/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import { SCANNER_VERSION } from '../../read/fingerprint.ts'
import type { SkillDiagnostic, SyncReport } from '../../read/records.ts'
import type { ToolRow } from '../tool-row.ts'
import { findTable } from './find-table.ts'
import { notesInFolder } from './folder-note.ts'
import { lanceError, shownUri } from './lance-error.ts'
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
  readonly embedder?: TextEmbedder
  /** Where the caller stands, for the command that installs what is missing. */
  readonly directory?: string | undefined
}

export interface ScannedRows {
  readonly rows: readonly ToolRow[]
  /** Stamp of the files before they were read; undefined when it proves nothing. */
  readonly stamp?: string | undefined
  /** Digest of the contents that the rows were made from. */
  readonly fingerprint: string
  readonly diagnostics?: readonly SkillDiagnostic[]
}

export interface SkillTable {
  /** The answer of a sync that would change nothing, when neither files nor table have changed since the last; else undefined. */
  unchanged(files: FilesSeen): Promise<Unchanged | undefined>
  /** Makes the table hold exactly these rows, writing only what differs. */
  sync(scanned: ScannedRows): Promise<SyncReport>
  /** Replaces the table with these rows. */
  rebuild(scanned: ScannedRows): Promise<SyncReport>
  /** Throws `ITEM_NOT_FOUND` when there is no table. */
  search(query: string, options?: RouteOptions): Promise<RouteAnswer>
  close(): void
}

const LOCK = { waitMs: 120_000, holdMs: 900_000 }
const MAX_ATTEMPTS = 12
const PAUSE_MS = 200

/** LanceDB is loaded and connected when first needed. */
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
  const syncRows = async (scanned: ScannedRows): Promise<SyncReport> =>
    syncUntilSame({ uri, notes, open: await open(), embedder }, scanned)

  return {
    unchanged: files => guarded(() => findUnchanged(notes, files, embedder)),
    sync: scanned => locked(() => syncRows(scanned)),
    rebuild: scanned =>
      locked(async () => {
        await replaceRows(await open(), markModel(scanned.rows, embedder), embedder)
        await syncRows(scanned)
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
  readonly embedder: TextEmbedder | undefined
}

/** Reports the changes of the first attempt, and records the state in which nothing differs any more. */
async function syncUntilSame(parts: SyncParts, scanned: ScannedRows): Promise<SyncReport> {
  const { notes, open, embedder } = parts
  const rows = markModel(scanned.rows, embedder)
  let report: SyncReport | undefined
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // After a random delay, so that two writers do not collide again.
    if (attempt > 2) await new Promise(done => setTimeout(done, Math.random() * attempt * PAUSE_MS))
    try {
      const before = await notes.tableStamp()
      const written = await updateRows(open, rows, embedder)
      report ??= written.report
      if (written.wrote || before === undefined || before !== (await notes.tableStamp())) continue
      await notes.write({
        scanner: SCANNER_VERSION,
        model: embedder?.model ?? null,
        dimensions: written.dimensions,
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
  throw new AppError(
    'REMOTE_FAILED',
    `other processes kept writing to the table at \`${shownUri(parts.uri)}\``,
    {
      hint: 'sync again when they are done',
    },
  )
}

/** Another process committed first; its rows can be read now. LanceDB calls some of these collisions unreachable code. */
function isConflict(thrown: unknown): boolean {
  if (thrown instanceof AppError) return false
  return (
    thrown instanceof Error &&
    /conflict|concurrent|already exists|retry|entered unreachable code/i.test(thrown.message)
  )
}

async function openExisting(connection: OpenLance['connection'], uri: string): Promise<Table> {
  const table = await findTable(connection, TABLE)
  if (table) return table
  throw new AppError('ITEM_NOT_FOUND', `no table \`${TABLE}\` at \`${shownUri(uri)}\``, {
    hint: commandOf('make it', `skills sync DIR --lance ${quoteShellWord(shownUri(uri))}`),
  })
}

/** Errors of LanceDB are about the address: unreachable, forbidden, out of space. */
async function guard<T>(uri: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause
    throw lanceError(uri, cause)
  }
}

function isAddress(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri)
}
