// The `items` table of a catalogue, in a directory or at any address that LanceDB accepts. Every write is one
// commit of LanceDB, so readers never see half of one. An interrupted sync leaves rows missing, which the
// next sync adds.
import { join, resolve } from 'node:path'
import { sha256Hex } from '../../base/index.ts'
import { acquireMutex } from '../../files/index.ts'
import { type EncodedColumns, isAddress, joinColumns, quoteSql } from '../../lance/index.ts'
import type { CollectionStatistics } from '../../search/index.ts'
import type { Candidate } from '../row.ts'
import { itemsSchema, tableName } from './columns.ts'
import {
  type CandidateQuestion,
  type FoundRows,
  findCandidates,
  findItemRows,
  type ItemName,
} from './find-rows.ts'
import { type KnownRows, NOTHING_KNOWN, readKnown } from './known-rows.ts'
import { findObject, putObjects } from './objects.ts'
import { RowCache } from './row-cache.ts'
import { WordCounts } from './statistics.ts'
import { type CatalogueStatus, describeTable } from './status.ts'
import { accessTable, type TableAccess } from './table-access.ts'
import { keepUp } from './upkeep.ts'

export interface ItemsTableOptions {
  /** A directory, or `s3://`, `gs://`, `az://` ...; credentials come from the environment. */
  readonly uri: string
  /** The caller's current directory, for the command that installs missing packages. */
  readonly directory?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether the table is opened for a sync, which keeps less in memory. */
  readonly isWriter?: boolean | undefined
}

export interface FoundCandidates {
  readonly candidates: readonly Candidate[]
  readonly statistics: CollectionStatistics
  /**
   * How many other rows would match, but have a format from another version of rye that cannot be read here.
   */
  readonly outdated: number
}

export interface ItemsTable extends TableToSync, TableToSearch {
  readonly uri: string
  /** The rows of a root; given keys, only those rows. */
  known(root: string, keys?: readonly string[]): Promise<KnownRows>
  close(): void
}

interface TableToSync {
  /** Whether only one process at a time can sync a root. */
  readonly takesTurns: boolean
  /** In a directory, no other process syncs this root while `work` runs. */
  locked<T>(root: string, work: () => Promise<T>): Promise<T>
  /** Writes rows whose keys are not in the table yet. */
  add(rows: EncodedColumns): Promise<void>
  /** Writes rows, replacing those with the same keys. */
  replace(rows: EncodedColumns): Promise<void>
  putObjects(objects: readonly Uint8Array[]): Promise<void>
  remove(keys: readonly string[]): Promise<void>
  /** Makes indexes, compacts and cleans up. */
  keepUp(): Promise<void>
}

interface TableToSearch {
  candidates(question: CandidateQuestion): Promise<FoundCandidates>
  find(name: ItemName): Promise<FoundRows>
  /** The packed files of a large item; undefined when they are not there. They have not been verified. */
  object(digest: string): Promise<Uint8Array | undefined>
  status(): Promise<CatalogueStatus>
}

const MUTEX = { waitMs: 600_000, holdMs: 3_600_000 }
const KEYS_AT_ONCE = 500

/** LanceDB is loaded and connected on first use. */
export function openItemsTable({ uri: given, directory, signal, isWriter }: ItemsTableOptions): ItemsTable {
  const isRemote = isAddress(given)
  const uri = isRemote ? given : resolve(given)
  const access = accessTable(uri, { isRemote, directory, signal, isWriter })
  return {
    uri,
    async known(root, keys) {
      if (access.isAbsent()) return NOTHING_KNOWN
      return access.read(async () => {
        const table = await access.existing()
        return table ? readKnown(table, root, keys) : NOTHING_KNOWN
      })
    },
    ...tableToSync(access, { uri, isRemote, signal }),
    ...tableToSearch(access),
    close: access.close,
  }
}

function tableToSync(
  { connect, made, guard, write }: TableAccess,
  { uri, isRemote, signal }: Pick<ItemsTableOptions, 'uri' | 'signal'> & { readonly isRemote: boolean },
): TableToSync {
  return {
    takesTurns: !isRemote,
    async locked(root, work) {
      const name = `.items-${sha256Hex(root).slice(0, 16)}.lock`
      const mutex = isRemote ? undefined : await acquireMutex(join(uri, name), { ...MUTEX, signal })
      try {
        return await work()
      } finally {
        mutex?.release()
      }
    },
    add: columns =>
      write(async () => {
        const { arrow } = await connect()
        await (await made()).add(joinColumns(arrow, itemsSchema(arrow), columns))
      }),
    replace: columns =>
      write(async () => {
        const { arrow } = await connect()
        const merge = (await made()).mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll()
        await merge.execute(joinColumns(arrow, itemsSchema(arrow), columns))
      }),
    putObjects: objects => guard(async () => putObjects(await connect(), objects)),
    remove: keys =>
      guard(async () => {
        const target = await made()
        for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
          signal?.throwIfAborted()
          const some = keys.slice(from, from + KEYS_AT_ONCE).map(quoteSql)
          await target.delete(`key IN (${some.join(', ')})`)
        }
      }),
    keepUp: () => guard(async () => keepUp(await connect(), await made())),
  }
}

/** Keeps rows that were read for as long as the table stays the same. */
function tableToSearch({ connect, newest, read }: TableAccess): TableToSearch {
  const counts = new WordCounts()
  const rows = new RowCache()
  return {
    candidates: question =>
      read(async () => {
        const lance = await connect()
        const target = await newest()
        const [schema, version] = await Promise.all([target.schema(), target.version()])
        rows.belongTo(tableName(schema), version)
        const [{ rows: candidates, outdated }, statistics] = await Promise.all([
          findCandidates(lance, target, question, rows),
          counts.read(lance, target, question.stems),
        ])
        return { candidates, statistics, outdated }
      }),
    find: name => read(async () => findItemRows(await newest(), name)),
    object: digest => read(async () => findObject(await connect(), digest)),
    status: () => read(async () => describeTable(await connect(), await newest())),
  }
}
