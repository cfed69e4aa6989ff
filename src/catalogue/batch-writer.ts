// Writes items to the table in batches. While one batch is written, rows are made for the next, and the one
// after that is read.
import { releaseMemory } from '../base/index.ts'
import { type EncodedColumns, encodeColumn } from '../lance/index.ts'
import type { LocalEmbedder } from '../search/index.ts'
import { type MakeRows, rowMaker } from './make-rows.ts'
import { type CatalogueItem, INLINE_BYTES, type ItemToWrite, keyOf, type RowOrigin } from './row.ts'
import { RowThread, type Thread } from './row-thread.ts'
import type { ItemsTable } from './table/items-table.ts'

export interface WriterOptions extends RowOrigin {
  readonly dryRun: boolean
  readonly embedder: LocalEmbedder | undefined
  readonly startThread?: (() => Thread) | undefined
}

/** Limits of one batch. Up to three batches are in memory at once. */
const BATCH = { rows: 5000, bytes: 6_000_000 }
/**
 * The largest number of written rows that are checked one by one afterwards. Beyond it, only the count is
 * checked.
 */
const LOOKED_AT = 50_000

type ReadItem = CatalogueItem & { readonly digest: string }

export class BatchWriter {
  readonly #table: ItemsTable
  readonly #options: WriterOptions
  readonly #makeHere: MakeRows
  #thread: RowThread | undefined
  #added: ReadItem[] = []
  #updated: ReadItem[] = []
  #bytes = 0
  #writing: Promise<void> = Promise.resolve()
  readonly totals = { added: 0, updated: 0 }
  /** The digest of each row that was written. */
  readonly written = new Map<string, string>()

  constructor(table: ItemsTable, options: WriterOptions) {
    this.#table = table
    this.#options = options
    this.#makeHere = rowMaker(options.embedder)
  }

  async put(
    item: ReadItem,
    { isNew, isKnown }: { readonly isNew: boolean; readonly isKnown: boolean },
  ): Promise<void> {
    this.totals[isKnown ? 'updated' : 'added']++
    if (this.#options.dryRun) return
    ;(isNew ? this.#added : this.#updated).push(item)
    const { type, id } = item.document
    if (this.written.size < LOOKED_AT) this.written.set(keyOf(this.#options.root, type, id), item.digest)
    this.#bytes += 2 * item.packed.length + 3000
    const rows = this.#added.length + this.#updated.length
    if (rows < BATCH.rows && this.#bytes < BATCH.bytes) return
    // Everything that fits into one batch is done without starting a thread.
    const { startThread } = this.#options
    if (startThread) this.#thread ??= new RowThread(startThread())
    await this.#send()
  }

  /** Writes the files of a large item whose row is already right, if they are missing. */
  async keepFiles({ packed }: CatalogueItem): Promise<void> {
    if (isLarge(packed)) await this.#table.putObjects([packed])
  }

  /** When this returns, everything that was put is written. */
  async flush(): Promise<void> {
    await this.#send()
    await this.#writing
  }

  /** Frees the memory used to make many rows before they are indexed, which needs as much again. */
  async close(): Promise<void> {
    if (!this.#thread) return
    await this.#thread.close()
    await releaseMemory()
  }

  async #send(): Promise<void> {
    const before = this.#writing
    const made = Promise.all([this.#make(this.#added), this.#make(this.#updated)])
    const large = [...this.#added, ...this.#updated].flatMap(({ packed }) =>
      isLarge(packed) ? [packed] : [],
    )
    this.#added = []
    this.#updated = []
    this.#bytes = 0
    this.#writing = Promise.all([made, before]).then(([rows]) => this.#write(large, rows))
    // The next await of `#writing` reports the failure.
    this.#writing.catch(() => {})
    await before
  }

  /** Keeps nothing of the items except what will be written. */
  async #make(items: readonly ReadItem[]): Promise<EncodedColumns | undefined> {
    if (items.length === 0) return undefined
    const { root, made } = this.#options
    const bare = items.map(({ packed, ...rest }): ItemToWrite => ({ ...rest, size: packed.length }))
    const bytes = encodeColumn(
      'bytes',
      items.map(({ packed }) => (isLarge(packed) ? null : packed)),
    )
    const making = this.#thread?.make(bare, { root, made }) ?? this.#makeHere(bare, { root, made })
    return { ...(await making), bytes }
  }

  /** Writes large items first, so that a row never names files that are missing. */
  async #write(
    large: readonly Uint8Array[],
    [added, updated]: readonly (EncodedColumns | undefined)[],
  ): Promise<void> {
    if (large.length > 0) await this.#table.putObjects(large)
    if (added) await this.#table.add(added)
    if (updated) await this.#table.replace(updated)
  }
}

function isLarge(packed: Uint8Array): boolean {
  return packed.length > INLINE_BYTES
}
