// Makes the rows of one root match its items. Items come one by one, and are read when their stamp differs
// from that of the row. A row is written when the digest of the files differs, or when it was made by other
// rules. Everything written is checked again: if two syncs of one root collided, or one was killed, the next
// pass repairs it.
import { AppError, sha256Hex } from '../base/index.ts'
import { isConflict, pauseBefore, shownUri } from '../lance/index.ts'
import { ANALYSIS_VERSION, type LocalEmbedder } from '../search/index.ts'
import { BatchWriter } from './batch-writer.ts'
import { type CatalogueItem, keyOf } from './row.ts'
import type { Thread } from './row-thread.ts'
import { madeBy } from './table/columns.ts'
import type { ItemsTable } from './table/items-table.ts'
import type { KnownRows } from './table/known-rows.ts'

/** One item of a root. */
export interface ItemToSync {
  readonly type: string
  readonly id: string
  /**
   * The current stamp of the files that the stamp `known` covers; empty while they may still change
   * unnoticed.
   */
  stampLike(known: string): string
  /** Returns undefined for an item that cannot be read; the reader reports why. */
  read(): Promise<CatalogueItem | undefined>
}

export interface RootToSync {
  readonly name: string
  /** Reports the items that cannot be listed, unless it is `quiet`. */
  items(how?: { readonly quiet: boolean }): Iterable<ItemToSync>
  /** Set when only some items are looked at: their names, as `TYPE:ID`. Other rows stay as they are. */
  readonly only?: readonly string[] | undefined
}

export interface SyncCounts {
  readonly added: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
}

export interface SyncOptions {
  readonly embedder: LocalEmbedder | undefined
  /**
   * Starts a thread that runs `answerRows` with the same embedder. Without it, rows are made in the calling
   * thread.
   */
  readonly startThread?: (() => Thread) | undefined
  readonly dryRun: boolean
  /** Deletes rows even when that means most of them. */
  readonly prune: boolean
  readonly signal?: AbortSignal | undefined
  readonly onItem?: (done: number) => void
}

const MAX_ATTEMPTS = 12
/**
 * Storage that hides what it holds looks like another process that always commits first, and LanceDB needs a
 * while to find out.
 */
const COLLIDING_MS = 60_000
const LEAST_ATTEMPTS = 4
/** Up to this many rows are looked up by their keys. */
const ASKED_BY_KEY = 500
/** Up to this many rows may be deleted without `prune`, even if they are most of a root. */
const FEW = 20

export async function syncRoot(
  table: ItemsTable,
  root: RootToSync,
  options: SyncOptions,
): Promise<SyncCounts> {
  if (options.dryRun) return countsOf(await pass(table, root, options))
  return table.locked(root.name, async () => {
    let first: SyncCounts | undefined
    let last: unknown
    let collidedAt = Number.POSITIVE_INFINITY
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > LEAST_ATTEMPTS && performance.now() > collidedAt + COLLIDING_MS) break
      options.signal?.throwIfAborted()
      await pauseBefore(attempt)
      try {
        const counts = await pass(table, root, options)
        first ??= countsOf(counts)
        if (await isWritten(table, root, counts)) return first
      } catch (thrown) {
        if (!isCollision(thrown)) throw thrown
        last = thrown
        collidedAt = Math.min(collidedAt, performance.now())
      }
    }
    throw new AppError(
      'REMOTE_FAILED',
      `other processes kept writing to \`${shownUri(table.uri)}\`, or it does not list its contents`,
      { hint: 'sync again when they are done', cause: last },
    )
  })
}

function countsOf({ added, updated, deleted, unchanged }: Pass): SyncCounts {
  return { added, updated, deleted, unchanged }
}

interface Pass extends SyncCounts {
  /** The digest of each row that was written. */
  readonly written: ReadonlyMap<string, string>
  readonly gone: readonly string[]
  readonly seen: number
}

async function pass(table: ItemsTable, root: RootToSync, options: SyncOptions): Promise<Pass> {
  const { embedder, dryRun, signal, onItem } = options
  const made = madeBy(ANALYSIS_VERSION, embedder?.model ?? '')
  const known = await table.known(
    root.name,
    root.only?.map(name => `${root.name} ${name}`),
  )
  const repeated = new Set(known.repeated)
  if (!dryRun && repeated.size > 0) await table.remove([...repeated])
  const writer = new BatchWriter(table, { ...options, root: root.name, made })
  const isPresent = new Uint8Array(known.rows)
  let isChecked = dryRun || options.prune || root.only !== undefined || known.size <= FEW
  // Before anything is written, because this may be the wrong folder.
  const checkFirst = () => {
    if (!isChecked)
      checkGone(table, root.name, { gone: countGone(root, known), known: known.size, prune: false })
    isChecked = true
  }
  let seen = 0
  let unchanged = 0
  let done = 0
  try {
    for (const item of root.items()) {
      signal?.throwIfAborted()
      onItem?.(done++)
      const key = keyOf(root.name, item.type, item.id)
      const before = known.find(key)
      const row = repeated.has(key) ? undefined : before
      seen++
      if (before) isPresent[before.number] = 1
      // Somebody who names an item wants it read, whatever its stamp says.
      if (!root.only && row?.made === made && row.stamp !== '' && row.stamp === item.stampLike(row.stamp)) {
        unchanged++
        continue
      }
      const read = await item.read()
      const digest = read && sha256Hex(read.packed)
      // An item that cannot be read right now keeps its row.
      if (read && !(row?.made === made && row.digest === digest)) {
        checkFirst()
        await writer.put(
          { ...read, digest: digest! },
          { isNew: row === undefined, isKnown: before !== undefined },
        )
      } else if (read || row) {
        unchanged++
        if (read && root.only && !dryRun) await writer.keepFiles(read)
      }
    }
    await writer.flush()
  } finally {
    await writer.close()
  }
  const gone = [...known.keysWithout(isPresent)]
  const { prune } = options
  if (!root.only) checkGone(table, root.name, { gone: gone.length, known: known.size, prune })
  if (!dryRun && gone.length > 0) await table.remove(gone)
  return { ...writer.totals, deleted: gone.length, unchanged, written: writer.written, gone, seen }
}

/**
 * Whether everything that was to be written is there, exactly once. A process that has the root to itself
 * need not check.
 */
async function isWritten(table: ItemsTable, root: RootToSync, counts: Pass): Promise<boolean> {
  const { written, gone, seen } = counts
  if (table.takesTurns || (written.size === 0 && gone.length === 0)) return true
  const keys = [...written.keys(), ...gone]
  const isFew = keys.length <= ASKED_BY_KEY
  const known = await table.known(root.name, isFew ? keys : undefined)
  return (
    known.repeated.length === 0 &&
    (root.only || known.size <= seen) &&
    [...written].every(([key, digest]) => known.find(key)?.digest === digest) &&
    gone.every(key => known.find(key) === undefined)
  )
}

/** How many rows have no item, judged by names alone. */
function countGone(root: RootToSync, known: KnownRows): number {
  let left = known.size
  for (const { type, id } of root.items({ quiet: true })) if (known.find(keyOf(root.name, type, id))) left--
  return left
}

/** Two people may give two folders the same name: neither should lose their rows to the other's mistake. */
function checkGone(
  table: ItemsTable,
  root: string,
  { gone, known, prune }: { readonly gone: number; readonly known: number; readonly prune: boolean },
): void {
  if (prune || gone <= FEW || gone * 2 <= known) return
  throw new AppError(
    'POLICY_DENIED',
    `${gone} of ${known} items that \`${shownUri(table.uri)}\` has of \`${root}\` are not in this folder: nothing was deleted`,
    {
      hint: 'to delete them, use `--prune`; if this is a different folder, give it another name: `NAME=DIR`',
    },
  )
}

/** A conflict reported by LanceDB, either directly or wrapped by the table's guard. */
function isCollision(thrown: unknown): boolean {
  return isConflict(thrown instanceof AppError && thrown.code === 'REMOTE_FAILED' ? thrown.cause : thrown)
}
