// Makes the rows of one root those of its items. Items come one by one, and are read when their stamp is not that of the row; a row is
// written when the digest of the files differs, or it was made in another way. What is written is looked at again: where two syncs of one
// root met, or one was killed, the next pass repairs it.
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
  /** Of the files that the stamp of a row is about, as they are now; empty while they may still change unseen. */
  stampLike(known: string): string
  /** Undefined for an item that cannot be read; whoever reads it says why. */
  read(): Promise<CatalogueItem | undefined>
}

export interface RootToSync {
  readonly name: string
  /** Those that cannot be listed are told of, unless it is `quiet`. */
  items(how?: { readonly quiet: boolean }): Iterable<ItemToSync>
  /** Where only some of its items are looked at, all of them as `TYPE:ID`: other rows stay as they are. */
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
  /** Starts a thread that runs `answerRows` with the same embedder; without it, there is one thread for all. */
  readonly startThread?: (() => Thread) | undefined
  readonly dryRun: boolean
  /** Also when most of the rows would go. */
  readonly prune: boolean
  readonly signal?: AbortSignal | undefined
  readonly onItem?: (done: number) => void
}

const MAX_ATTEMPTS = 12
/** Storage that hides what it holds looks like somebody who always writes first, and LanceDB takes its time to find out. */
const COLLIDING_MS = 60_000
const LEAST_ATTEMPTS = 4
/** Rows of so few keys are asked for by them. */
const ASKED_BY_KEY = 500
/** Fewer rows may go unasked. */
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
      `other processes kept writing to \`${shownUri(table.uri)}\`, or it does not list what it holds`,
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
  // Before anything is written: it may be another folder.
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
      // Who names an item wants it looked at.
      if (!root.only && row?.made === made && row.stamp !== '' && row.stamp === item.stampLike(row.stamp)) {
        unchanged++
        continue
      }
      const read = await item.read()
      const digest = read && sha256Hex(read.packed)
      // What cannot be read for a moment is not deleted for it.
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

/** Whether what was to be written is there, once. Who has the root alone need not look. */
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

/** How many rows have no item, as far as names tell. */
function countGone(root: RootToSync, known: KnownRows): number {
  let left = known.size
  for (const { type, id } of root.items({ quiet: true })) if (known.find(keyOf(root.name, type, id))) left--
  return left
}

/** Two people may give one name to two folders: neither is to lose the rows of the other by a slip. */
function checkGone(
  table: ItemsTable,
  root: string,
  { gone, known, prune }: { readonly gone: number; readonly known: number; readonly prune: boolean },
): void {
  if (prune || gone <= FEW || gone * 2 <= known) return
  throw new AppError(
    'POLICY_DENIED',
    `${gone} of ${known} items that \`${shownUri(table.uri)}\` has of \`${root}\` are not in this folder: nothing was deleted`,
    { hint: 'if they are to go: `--prune`; if it is another folder, give it another name: `NAME=DIR`' },
  )
}

/** A collision as LanceDB says it, or as the guard of the table has said it. */
function isCollision(thrown: unknown): boolean {
  return isConflict(thrown instanceof AppError && thrown.code === 'REMOTE_FAILED' ? thrown.cause : thrown)
}
