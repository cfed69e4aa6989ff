// Makes the rows of one root those of its items. Items come one by one, and are read when their stamp is not that of the row; a row is
// written when the digest of the files differs, or it was made in another way. What is written is looked at again: where two syncs of one
// root met, or one was killed, the next pass repairs it.
import { AppError, sha256Hex } from '../base/index.ts'
import { isConflict, pauseBefore, shownUri } from '../lance/index.ts'
import { ANALYSIS_VERSION, type LocalEmbedder } from '../search/index.ts'
import { type CatalogueItem, INLINE_BYTES, type ItemRow, keyOf, makeRow } from './row.ts'
import { madeBy } from './table/columns.ts'
import type { ItemsTable, KnownRows } from './table/items-table.ts'

/** One item of a root. */
export interface ItemToSync {
  readonly type: string
  readonly id: string
  /** Of its files as they are now; empty while they may still change unseen. */
  readonly stamp: string
  /** Undefined for an item that cannot be read; whoever reads it says why. */
  read(): Promise<CatalogueItem | undefined>
}

export interface RootToSync {
  readonly name: string
  items(): Iterable<ItemToSync>
}

export interface SyncCounts {
  readonly added: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
}

export interface SyncOptions {
  readonly embedder: LocalEmbedder | undefined
  readonly dryRun: boolean
  /** Also when most of the rows would go. */
  readonly prune: boolean
  readonly signal?: AbortSignal | undefined
  readonly onItem?: (done: number) => void
}

/** What is held in memory at a time. */
const BATCH = { rows: 2000, bytes: 12_000_000 }
const MAX_ATTEMPTS = 12
/** Rows that are looked at one by one afterwards; of more, only their number is. */
const LOOKED_AT = 50_000
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
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      options.signal?.throwIfAborted()
      await pauseBefore(attempt)
      try {
        const counts = await pass(table, root, options)
        first ??= countsOf(counts)
        if (await isWritten(table, root.name, counts)) return first
      } catch (thrown) {
        if (!isCollision(thrown)) throw thrown
      }
    }
    throw new AppError('REMOTE_FAILED', `other processes kept writing to \`${shownUri(table.uri)}\``, {
      hint: 'sync again when they are done',
    })
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
  const known = await table.known(root.name)
  const repeated = new Set(known.repeated)
  if (!dryRun && repeated.size > 0) await table.remove([...repeated])
  const writer = new BatchWriter(table, { dryRun })
  const present = new Set<string>()
  let seen = 0
  let unchanged = 0
  let done = 0
  for (const item of root.items()) {
    signal?.throwIfAborted()
    onItem?.(done++)
    const key = keyOf(root.name, item.type, item.id)
    const row = repeated.has(key) ? undefined : known.find(key)
    seen++
    if (known.size > 0) present.add(key)
    if (row && item.stamp !== '' && row.stamp === item.stamp && row.made === made) {
      unchanged++
      continue
    }
    const read = await item.read()
    if (!read) {
      // What cannot be read for a moment is not deleted for it.
      unchanged += row ? 1 : 0
      continue
    }
    if (row?.made === made && row.digest === sha256Hex(read.packed)) {
      unchanged++
      continue
    }
    const next = makeRow(read, { root: root.name, made, vector: vectorOf(read, embedder) })
    const isKnown = known.find(key) !== undefined
    await writer.put(next, read.packed, { isNew: row === undefined, isKnown })
  }
  await writer.flush()
  const gone = goneFrom(known, present)
  checkGone(table, root.name, { gone: gone.length, known: known.size, prune: options.prune })
  if (!dryRun && gone.length > 0) await table.remove(gone)
  return { ...writer.totals, deleted: gone.length, unchanged, written: writer.written, gone, seen }
}

/** Whether what was to be written is there, once. */
async function isWritten(table: ItemsTable, root: string, counts: Pass): Promise<boolean> {
  const { written, gone, seen } = counts
  if (written.size === 0 && gone.length === 0) return true
  const known = await table.known(root)
  return (
    known.repeated.length === 0 &&
    known.size <= seen &&
    [...written].every(([key, digest]) => known.find(key)?.digest === digest) &&
    gone.every(key => known.find(key) === undefined)
  )
}

function goneFrom(known: KnownRows, present: ReadonlySet<string>): string[] {
  const gone: string[] = []
  for (const key of known.keys()) if (!present.has(key)) gone.push(key)
  return gone
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

function vectorOf({ document }: CatalogueItem, embedder: LocalEmbedder | undefined): Float32Array | null {
  const { title, description, fields, prose } = document
  return embedder?.embedItem({ title, description, body: prose ?? fields.content.join('\n') }) ?? null
}

/** A collision as LanceDB says it, or as the guard of the table has said it. */
function isCollision(thrown: unknown): boolean {
  return isConflict(thrown instanceof AppError && thrown.code === 'REMOTE_FAILED' ? thrown.cause : thrown)
}

class BatchWriter {
  readonly #table: ItemsTable
  readonly #dryRun: boolean
  #added: ItemRow[] = []
  #updated: ItemRow[] = []
  #objects: Uint8Array[] = []
  #bytes = 0
  readonly totals = { added: 0, updated: 0 }
  readonly written = new Map<string, string>()

  constructor(table: ItemsTable, { dryRun }: { readonly dryRun: boolean }) {
    this.#table = table
    this.#dryRun = dryRun
  }

  async put(
    row: ItemRow,
    packed: Uint8Array,
    { isNew, isKnown }: { readonly isNew: boolean; readonly isKnown: boolean },
  ): Promise<void> {
    this.totals[isKnown ? 'updated' : 'added']++
    if (this.#dryRun) return
    ;(isNew ? this.#added : this.#updated).push(row)
    if (packed.length > INLINE_BYTES) this.#objects.push(packed)
    if (this.written.size < LOOKED_AT) this.written.set(row.key, row.digest)
    this.#bytes += 2 * packed.length + 3000
    const rows = this.#added.length + this.#updated.length
    if (rows >= BATCH.rows || this.#bytes >= BATCH.bytes) await this.flush()
  }

  /** Large items first: a row never names what is not there. */
  async flush(): Promise<void> {
    if (this.#objects.length > 0) await this.#table.putObjects(this.#objects)
    if (this.#added.length + this.#updated.length > 0)
      await this.#table.write({ added: this.#added, updated: this.#updated })
    this.#added = []
    this.#updated = []
    this.#objects = []
    this.#bytes = 0
  }
}
