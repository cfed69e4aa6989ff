// The `skills` table of LanceDB, in a directory or at any address that LanceDB accepts. A sync compares and
// writes until no commit but its own came in between, and records only that state. In a directory, a mutex
// prevents two syncs at a time. At an address there is none: two syncs may insert the same row, or one may
// lose a commit, and the next comparison finds it.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { AppError, commandOf, quoteShellWord } from '../../../base/index.ts'
import { acquireMutex } from '../../../files/index.ts'
import {
  connectLance,
  findTable,
  guardLance,
  isAddress,
  isConflict,
  isGone,
  type OpenLance,
  pauseBefore,
  shownUri,
  untilAborted,
} from '../../../lance/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import type { KeptScan } from '../../folders/scan-again.ts'
import type { SyncReport } from '../../read/records.ts'
import { SCANNER_VERSION } from '../../read/scanner-version.ts'
import type { CollectedRows } from '../collect-rows.ts'
import { notesInFolder } from './folder-note.ts'
import { TABLE } from './row-schema.ts'
import { type RouteAnswer, type RouteOptions, searchTools } from './search-tools.ts'
import { type NoteKeeper, notesAtAddress, recallNote, type SyncNote } from './sync-note.ts'
import { clearTable, updateRows } from './write-rows.ts'

export interface SkillTableOptions {
  /** A directory, or `s3://`, `gs://`, `az://` ...; credentials come from the environment. */
  readonly uri: string
  readonly embedder?: TextEmbedder
  /** The caller's directory, for the hint on how to install what is missing. */
  readonly directory?: string | undefined
  /** Differs when verdicts on skills may differ. Default: empty. */
  readonly trust?: string
  /** Ends a sync: at once for the caller, and between two commits for the table. */
  readonly signal?: AbortSignal | undefined
}

export interface SkillTable {
  /** What the last sync left, if the table is still as it left it; else undefined. */
  recall(): Promise<Recalled | undefined>
  /** Makes the table hold exactly these rows, writing only what differs. The scan is kept for the next sync. */
  sync(rows: CollectedRows, scan?: KeptScan): Promise<SyncReport>
  /** Replaces the table with these rows. */
  rebuild(rows: CollectedRows, scan?: KeptScan): Promise<SyncReport>
  /** Throws `ITEM_NOT_FOUND` when there is no table. */
  search(query: string, options?: RouteOptions): Promise<RouteAnswer>
  close(): void
}

/** What is known of each folder, and how their directories looked. */
export type Recalled = Pick<SyncNote, 'folders' | 'scan'>

const MUTEX = { waitMs: 120_000, holdMs: 900_000 }
const MAX_ATTEMPTS = 12
const REMOTE_KEEP_MS = 600_000

/** LanceDB is loaded and connected when first needed. */
export function openSkillTable(options: SkillTableOptions): SkillTable {
  const { embedder, directory, signal } = options
  const isRemote = isAddress(options.uri)
  const uri = isRemote ? options.uri : resolve(options.uri)
  const origin = { model: embedder?.model ?? null, trust: options.trust ?? '' }
  let opening: Promise<OpenLance> | undefined
  let opened: Promise<Table> | undefined
  let recalled: SyncNote | undefined
  const open = (): Promise<OpenLance> => {
    opening ??= connectLance(uri, { directory, looksAlways: true })
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  const notes = isRemote ? notesAtAddress(async () => (await open()).connection) : notesInFolder(uri)
  const guarded = <T>(work: () => Promise<T>): Promise<T> => untilAborted(guardLance(uri, work), signal)
  const locked = async <T>(work: () => Promise<T>): Promise<T> => {
    const mutex = isRemote ? undefined : await acquireMutex(join(uri, '.skills.lock'), MUTEX)
    try {
      return await guarded(work)
    } finally {
      mutex?.release()
    }
  }
  const syncRows = async (rows: RowsToSync): Promise<SyncReport> => {
    const note = recalled ?? (await notes.read())
    const keepMs = isRemote ? REMOTE_KEEP_MS : 0
    return syncUntilSame({ uri, notes, open: await open(), embedder, origin, signal, keepMs, note }, rows)
  }
  const findOpened = async (): Promise<Table> => {
    opened ??= openExisting((await open()).connection, uri)
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  return {
    recall: () =>
      guarded(async () => {
        recalled = await recallNote(notes, origin, embedder)
        return recalled
      }),
    sync: (rows, scan) =>
      locked(async () => (await keepNote(notes, recalled, { ...rows, scan })) ?? syncRows({ ...rows, scan })),
    rebuild: (rows, scan) =>
      locked(async () => {
        await clearTable(await open(), embedder)
        await syncRows({ ...rows, scan })
        return { added: [...rows.wanted().keys()].sort(), updated: [], deleted: [], unchanged_count: 0 }
      }),
    search: (query, routeOptions = {}) =>
      guarded(async () => {
        // LanceDB would make the folder.
        if (!isRemote && !existsSync(uri)) throw noTable(uri)
        const { lance } = await open()
        try {
          return await searchTools({ lance, table: await findOpened(), embedder }, query, routeOptions)
        } catch (thrown) {
          // A sync deletes the files of old versions, and the open table may have just become one of those.
          if (!isGone(thrown)) throw thrown
          opened = undefined
          return await searchTools({ lance, table: await findOpened(), embedder }, query, routeOptions)
        }
      }),
    close() {
      opening?.then(
        ({ connection }) => connection.close(),
        () => {},
      )
    },
  }
}

interface RowsToSync extends CollectedRows {
  readonly scan: KeptScan | undefined
}

interface SyncParts {
  readonly uri: string
  readonly notes: NoteKeeper
  readonly open: OpenLance
  readonly embedder: TextEmbedder | undefined
  readonly origin: Pick<SyncNote, 'model' | 'trust'>
  readonly signal: AbortSignal | undefined
  /** How long old versions of the table are kept: where there is no mutex, another sync may still read them. */
  readonly keepMs: number
  /** The note of the last sync, which may be about another state of the table. */
  readonly note: SyncNote | undefined
}

/** For files that were only touched: the table is not opened, and the next sync need not read them again. */
async function keepNote(
  notes: NoteKeeper,
  note: SyncNote | undefined,
  { plan, since, folders, scan }: RowsToSync,
): Promise<SyncReport | undefined> {
  if (!note || note.folders !== since || !plan) return undefined
  if (plan.upserts.size + plan.report.deleted.length > 0) return undefined
  // Another process may have written since.
  if ((await notes.tableStamp()) !== note.table) return undefined
  await notes.write({ ...note, folders, scan })
  return plan.report
}

/** Reports the changes of the first attempt, and records a state in which nothing differs any more. */
async function syncUntilSame(parts: SyncParts, collected: RowsToSync): Promise<SyncReport> {
  const { notes, open, embedder, origin, signal, keepMs, note } = parts
  const { folders, scan, wanted, rows, plan, since } = collected
  let { optimizedAt = 0 } = note ?? {}
  let report: SyncReport | undefined
  let failure: unknown
  const begun = await notes.tableStamp()
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    signal?.throwIfAborted()
    await pauseBefore(attempt)
    try {
      const isNoted = note?.folders === since && note.table === (await notes.tableStamp())
      const written = await updateRows(open, {
        wanted,
        rows,
        ...(isNoted && plan && { noted: { ...note, plan } }),
        embedder,
        optimizedAt,
        keepMs,
        signal,
        stamp: () => notes.tableStamp(),
      })
      const { dimensions, version, stamp } = written
      optimizedAt = written.optimizedAt
      report ??= written.report
      if (stamp === undefined) continue
      await notes.write({
        scanner: SCANNER_VERSION,
        ...origin,
        dimensions,
        folders,
        scan,
        table: stamp,
        version,
        optimizedAt,
      })
      return report
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown
      failure = thrown
    }
  }
  // If nobody else has written, which the mutex ensures in a directory, what LanceDB did not find is missing.
  const isAlone = begun === (await notes.tableStamp()) || !isAddress(parts.uri)
  if (isAlone && isGone(failure)) throw failure
  throw new AppError(
    'REMOTE_FAILED',
    `other processes kept writing to the table at \`${shownUri(parts.uri)}\``,
    {
      hint: 'sync again when they are done',
    },
  )
}

async function openExisting(connection: OpenLance['connection'], uri: string): Promise<Table> {
  const table = await findTable(connection, TABLE)
  if (table) return table
  throw noTable(uri)
}

function noTable(uri: string): AppError {
  return new AppError('ITEM_NOT_FOUND', `no table \`${TABLE}\` at \`${shownUri(uri)}\``, {
    hint: commandOf('make it', `skills sync DIR --lance ${quoteShellWord(shownUri(uri))}`),
  })
}
