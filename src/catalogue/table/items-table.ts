// The `items` table of a catalogue, in a directory or at any address that LanceDB accepts. Every write is one commit of LanceDB, so
// that readers never see half of one; an interrupted sync leaves rows missing, which the next one finds.
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Table } from '@lancedb/lancedb'
import { AppError, commandOf, quoteShellWord, sha256Hex } from '../../base/index.ts'
import { acquireLock, stateAt } from '../../files/index.ts'
import {
  connectLance,
  type EncodedColumns,
  findTable,
  guardLance,
  hasSchema,
  isAddress,
  isConflict,
  isGone,
  joinColumns,
  makeBatch,
  type OpenLance,
  quoteSql,
  shownUri,
  untilAborted,
} from '../../lance/index.ts'
import type { CollectionStatistics } from '../../search/index.ts'
import type { Candidate } from '../row.ts'
import { ITEMS, itemsSchema, OBJECTS, objectsSchema, tableName } from './columns.ts'
import {
  type CandidateQuestion,
  type FoundRows,
  findCandidates,
  findItemRows,
  type ItemName,
} from './find-rows.ts'
import { type KnownRows, NOTHING_KNOWN, readKnown } from './known-rows.ts'
import { RowCache } from './row-cache.ts'
import { WordCounts } from './statistics.ts'
import { type CatalogueStatus, describeTable } from './status.ts'
import { keepUp } from './upkeep.ts'

export interface ItemsTableOptions {
  /** A directory, or `s3://`, `gs://`, `az://` ...; credentials come from the environment. */
  readonly uri: string
  /** Where the caller stands, for the command that installs what is missing. */
  readonly directory?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether it is opened for a sync, which keeps less in memory. */
  readonly isWriter?: boolean | undefined
}

export interface FoundCandidates {
  readonly candidates: readonly Candidate[]
  readonly statistics: CollectionStatistics
  /** How many more would fit that another version of rye wrote in a way that is not read here. */
  readonly outdated: number
}

export interface ItemsTable {
  readonly uri: string
  /** Whether only one process at a time syncs a root. */
  readonly takesTurns: boolean
  /** The rows of a root; with keys, of those alone. */
  known(root: string, keys?: readonly string[]): Promise<KnownRows>
  /** Writes rows whose keys are new. */
  add(rows: EncodedColumns): Promise<void>
  /** Writes rows, in place of those with the same keys. */
  replace(rows: EncodedColumns): Promise<void>
  putObjects(objects: readonly Uint8Array[]): Promise<void>
  remove(keys: readonly string[]): Promise<void>
  /** Indexes, compaction, clean-up. */
  keepUp(): Promise<void>
  /** In a directory, nobody else syncs this root meanwhile. */
  locked<T>(root: string, work: () => Promise<T>): Promise<T>
  candidates(question: CandidateQuestion): Promise<FoundCandidates>
  find(name: ItemName): Promise<FoundRows>
  /** The files of a large item, as they are packed; undefined where they are not there. Nobody has checked them. */
  object(digest: string): Promise<Uint8Array | undefined>
  status(): Promise<CatalogueStatus>
  close(): void
}

const LOCK = { waitMs: 600_000, holdMs: 3_600_000 }
const KEYS_AT_ONCE = 500
/** For one batch. LanceDB tries for many minutes to commit to storage that hides its newest version, and says nothing. */
const WRITE_MS = 90_000

/** LanceDB is loaded and connected when first needed. */
export function openItemsTable({ uri: given, directory, signal, isWriter }: ItemsTableOptions): ItemsTable {
  const isRemote = isAddress(given)
  const uri = isRemote ? given : resolve(given)
  let opening: Promise<OpenLance> | undefined
  let opened: Promise<Table> | undefined
  const counts = new WordCounts()
  const rows = new RowCache()
  const open = (): Promise<OpenLance> => {
    opening ??= connectLance(uri, { directory, looksAlways: false, isWriter })
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  /** As others have left it by now. All that is asked of it from here on is of one version. */
  const table = async (): Promise<Table> => {
    const known = opened
    opened ??= open().then(lance => openExisting(lance, uri))
    opened.catch(() => {
      opened = undefined
    })
    const newest = await opened
    if (known) await newest.checkoutLatest()
    return newest
  }
  const made = async (): Promise<Table> => {
    if (!opened) await makeTable(await open())
    return table()
  }
  const isAbsent = () => !isRemote && stateAt(uri) === undefined
  const guarded = <T>(work: () => Promise<T>): Promise<T> => untilAborted(guardLance(uri, work), signal)
  const timely = <T>(work: () => Promise<T>): Promise<T> => guarded(() => withinLimit(uri, work()))
  /** A sync deletes the files of versions that are no longer current, and this one may just have been. */
  const reading = <T>(work: () => Promise<T>): Promise<T> =>
    guarded(async () => {
      // LanceDB would make the directory.
      if (isAbsent()) throw noTable(uri)
      try {
        return await work()
      } catch (thrown) {
        if (!isGone(thrown)) throw thrown
        opened = undefined
        return await work()
      }
    })

  return {
    uri,
    takesTurns: !isRemote,
    known: (root, keys) =>
      isAbsent()
        ? Promise.resolve(NOTHING_KNOWN)
        : reading(async () => {
            const lance = await open()
            if (!(await exists(lance, ITEMS))) return NOTHING_KNOWN
            return readKnown(await openExisting(lance, uri), root, keys)
          }),
    add: columns =>
      timely(async () => {
        const { arrow } = await open()
        await (await made()).add(joinColumns(arrow, itemsSchema(arrow), columns))
      }),
    replace: columns =>
      timely(async () => {
        const { arrow } = await open()
        const merge = (await made()).mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll()
        await merge.execute(joinColumns(arrow, itemsSchema(arrow), columns))
      }),
    putObjects: objects => guarded(async () => putObjects(await open(), objects)),
    remove: keys =>
      guarded(async () => {
        const target = await made()
        for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
          signal?.throwIfAborted()
          const some = keys.slice(from, from + KEYS_AT_ONCE).map(quoteSql)
          await target.delete(`key IN (${some.join(', ')})`)
        }
      }),
    keepUp: () => guarded(async () => keepUp(await open(), await made())),
    async locked(root, work) {
      const name = `.items-${sha256Hex(root).slice(0, 16)}.lock`
      const lock = isRemote ? undefined : await acquireLock(join(uri, name), { ...LOCK, signal })
      try {
        return await work()
      } finally {
        lock?.release()
      }
    },
    candidates: question =>
      reading(async () => {
        const lance = await open()
        const target = await table()
        const [schema, version] = await Promise.all([target.schema(), target.version()])
        rows.belongTo(tableName(schema), version)
        const [{ rows: candidates, outdated }, statistics] = await Promise.all([
          findCandidates(lance, target, question, rows),
          counts.read(lance, target, question.stems),
        ])
        return { candidates, statistics, outdated }
      }),
    find: name => reading(async () => findItemRows(await table(), name)),
    object: digest => reading(async () => findObject(await open(), digest)),
    status: () => reading(async () => describeTable(await open(), await table())),
    close() {
      opening?.then(
        ({ connection }) => connection.close(),
        () => {},
      )
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
  if (await exists(lance, ITEMS)) return
  try {
    const table = await lance.connection.createEmptyTable(ITEMS, itemsSchema(lance.arrow, randomUUID()))
    table.close()
  } catch (thrown) {
    if (!isConflict(thrown) || !(await exists(lance, ITEMS))) throw thrown
  }
}

async function exists({ connection }: OpenLance, name: string): Promise<boolean> {
  const table = await findTable(connection, name)
  table?.close()
  return table !== undefined
}

async function putObjects({ arrow, connection }: OpenLance, objects: readonly Uint8Array[]): Promise<void> {
  const schema = objectsSchema(arrow)
  const table =
    (await findTable(connection, OBJECTS)) ??
    (await connection.createEmptyTable(OBJECTS, schema, { existOk: true }))
  try {
    for (const bytes of objects) {
      const digest = sha256Hex(bytes)
      if ((await table.countRows(`digest = '${digest}'`)) > 0) continue
      await table.add(makeBatch(arrow, schema, [{ digest, written: Date.now(), bytes }]))
    }
  } finally {
    table.close()
  }
}

async function findObject({ connection }: OpenLance, digest: string): Promise<Uint8Array | undefined> {
  const table = await findTable(connection, OBJECTS)
  if (!table) return undefined
  try {
    const [row] = await table
      .query()
      .select(['bytes'])
      .where(`digest = ${quoteSql(digest)}`)
      .limit(1)
      .toArray()
    return row?.bytes instanceof Uint8Array ? row.bytes : undefined
  } finally {
    table.close()
  }
}
