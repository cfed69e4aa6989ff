// How the table is reached: connected when it is first needed, read as others have left it, and not waited for without end.
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
  /** As others have left it by now: all that is asked of it from here on is of one version. Throws where there is no table. */
  newest(): Promise<Table>
  /** The same, made where there is none. */
  made(): Promise<Table>
  /** The table in a state of its own; undefined where there is none. */
  existing(): Promise<Table | undefined>
  /** Whether there is not even the directory, which LanceDB would make. */
  isAbsent(): boolean
  /** Work that ends with the call, and whose failures say what they mean. */
  guard<T>(work: () => Promise<T>): Promise<T>
  /** The same for a batch that is written: after a while nobody waits for it. */
  write<T>(work: () => Promise<T>): Promise<T>
  /** The same for what reads: a sync deletes the files of versions that are no longer current, and this one may just have been. */
  read<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

export interface AccessOptions {
  readonly isRemote: boolean
  readonly directory: string | undefined
  readonly signal: AbortSignal | undefined
  readonly isWriter: boolean | undefined
}

/** For one batch. LanceDB tries for many minutes to commit to storage that hides its newest version, and says nothing. */
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

/** Made when it is first asked for; again, where that failed or it was forgotten. */
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

/** LanceDB cannot be interrupted: after a while nobody waits for it any more. */
async function withinLimit<T>(uri: string, work: Promise<T>): Promise<T> {
  const late = new AppError(
    'REMOTE_FAILED',
    `\`${shownUri(uri)}\` did not take what was written within ${WRITE_MS / 1000} s: it is slow, or does not list what it holds`,
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

/** Throws when there is no table, or one that this program does not understand. */
async function openExisting({ arrow, connection }: OpenLance, uri: string): Promise<Table> {
  const table = await findTable(connection, ITEMS)
  if (!table) throw noTable(uri)
  if (hasSchema(await table.schema(), itemsSchema(arrow))) return table
  table.close()
  throw new AppError(
    'REMOTE_FAILED',
    `the table \`${ITEMS}\` at \`${shownUri(uri)}\` has other columns than this version of rye reads`,
    { hint: 'use the version of rye that wrote it, or sync to another address' },
  )
}

function noTable(uri: string): AppError {
  return new AppError('ITEM_NOT_FOUND', `no table \`${ITEMS}\` at \`${shownUri(uri)}\``, {
    hint: commandOf('make it', `catalogue sync --table ${quoteShellWord(shownUri(uri))}`),
  })
}

/** Two may begin at once: the table is that of whoever was first. */
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
