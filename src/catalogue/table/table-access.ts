// Access to the table: connects on first use, reads what others have written, and limits how long callers
// wait.
import { randomUUID } from 'node:crypto'
import type { Table } from '@lancedb/lancedb'
import { AppError, commandOf, quoteShellWord } from '../../base/index.ts'
import { stateAt } from '../../files/index.ts'
import {
  connectLance,
  findTable,
  guardLance,
  hasSchema,
  isConflict,
  isGone,
  type OpenLance,
  shownUri,
  untilAborted,
} from '../../lance/index.ts'
import { ITEMS, itemsSchema } from './columns.ts'

export interface TableAccess {
  /** LanceDB, loaded and connected when first needed. */
  connect(): Promise<OpenLance>
  /**
   * The newest version of the table. Everything read from it until the next call is of one version. Throws
   * when there is no table.
   */
  newest(): Promise<Table>
  /** Like `newest`, but makes the table when there is none. */
  made(): Promise<Table>
  /** A newly opened table, separate from the shared one; undefined when there is none. */
  existing(): Promise<Table | undefined>
  /** Whether even the directory is missing. LanceDB would create it. */
  isAbsent(): boolean
  /** Runs work that ends when the call is aborted, and makes its errors readable. */
  guard<T>(work: () => Promise<T>): Promise<T>
  /** Like `guard`, for writing a batch: stops waiting after a while. */
  write<T>(work: () => Promise<T>): Promise<T>
  /**
   * Like `guard`, for reading: tries again when files are gone, since a sync deletes the files of old
   * versions, and the open one may just have become old.
   */
  read<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

export interface AccessOptions {
  readonly isRemote: boolean
  readonly directory: string | undefined
  readonly signal: AbortSignal | undefined
  readonly isWriter: boolean | undefined
}

/**
 * Limit for one batch. LanceDB tries for many minutes, silently, to commit to storage that hides its newest
 * version.
 */
const WRITE_MS = 90_000

export function accessTable(uri: string, { isRemote, signal, ...connecting }: AccessOptions): TableAccess {
  const lance = keptUnlessFailed(() => connectLance(uri, { ...connecting, looksAlways: false }))
  const table = keptUnlessFailed(async () => openExisting(await lance.get(), uri))
  const newest = async (): Promise<Table> => {
    const wasOpen = table.kept() !== undefined
    const opened = await table.get()
    if (wasOpen) await opened.checkoutLatest()
    return opened
  }
  const isAbsent = () => !isRemote && stateAt(uri) === undefined
  const guard = <T>(work: () => Promise<T>): Promise<T> => untilAborted(guardLance(uri, work), signal)
  return {
    connect: lance.get,
    newest,
    async made() {
      if (!table.kept()) await makeTable(await lance.get())
      return newest()
    },
    async existing() {
      const connected = await lance.get()
      return (await hasTable(connected)) ? openExisting(connected, uri) : undefined
    },
    isAbsent,
    guard,
    write: work => guard(() => withinLimit(uri, work())),
    read: work =>
      guard(async () => {
        if (isAbsent()) throw noTable(uri)
        try {
          return await work()
        } catch (thrown) {
          if (!isGone(thrown)) throw thrown
          table.forget()
          return await work()
        }
      }),
    close() {
      lance.kept()?.then(
        ({ connection }) => connection.close(),
        () => {},
      )
    },
  }
}

/** Made on first use, and again after a failure or `forget`. */
function keptUnlessFailed<T>(make: () => Promise<T>) {
  let kept: Promise<T> | undefined
  return {
    kept: () => kept,
    forget() {
      kept = undefined
    },
    get(): Promise<T> {
      kept ??= make()
      kept.catch(() => {
        kept = undefined
      })
      return kept
    },
  }
}

/** LanceDB cannot be interrupted, so this only stops waiting for it. */
async function withinLimit<T>(uri: string, work: Promise<T>): Promise<T> {
  const late = new AppError(
    'REMOTE_FAILED',
    `\`${shownUri(uri)}\` did not complete a write within ${WRITE_MS / 1000} s: it is slow, or does not list its contents`,
    { hint: 'sync again: what is missing is written then' },
  )
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(late), WRITE_MS)
  try {
    return await untilAborted(work, limit.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Throws when there is no table, or one that this version cannot read. */
async function openExisting({ arrow, connection }: OpenLance, uri: string): Promise<Table> {
  const table = await findTable(connection, ITEMS)
  if (!table) throw noTable(uri)
  if (hasSchema(await table.schema(), itemsSchema(arrow))) return table
  table.close()
  throw new AppError(
    'REMOTE_FAILED',
    `the table \`${ITEMS}\` at \`${shownUri(uri)}\` does not have the columns that this version of rye reads`,
    { hint: 'use the version of rye that wrote it, or sync to another address' },
  )
}

function noTable(uri: string): AppError {
  return new AppError('ITEM_NOT_FOUND', `no table \`${ITEMS}\` at \`${shownUri(uri)}\``, {
    hint: commandOf('make it', `catalogue sync --table ${quoteShellWord(shownUri(uri))}`),
  })
}

/** Two processes may start at once: the first one makes the table, and the other uses it. */
async function makeTable(lance: OpenLance): Promise<void> {
  if (await hasTable(lance)) return
  try {
    const table = await lance.connection.createEmptyTable(ITEMS, itemsSchema(lance.arrow, randomUUID()))
    table.close()
  } catch (thrown) {
    if (!isConflict(thrown) || !(await hasTable(lance))) throw thrown
  }
}

async function hasTable({ connection }: OpenLance): Promise<boolean> {
  const table = await findTable(connection, ITEMS)
  table?.close()
  return table !== undefined
}
