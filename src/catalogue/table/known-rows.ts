// The rows of a root, as far as comparing them with its items needs. There may be a million, so they stay in
// the columns that LanceDB returns.
import type { Table } from '@lancedb/lancedb'
import type { RecordBatch, Vector } from 'apache-arrow'
import { quoteSql } from '../../lance/index.ts'

export interface KnownRow {
  /** Position among the known rows, from 0. */
  readonly number: number
  readonly digest: string
  readonly stamp: string
  readonly made: string
}

export interface KnownRows {
  /** Number of distinct keys, and number of rows. */
  readonly size: number
  readonly rows: number
  /** Keys of more than one row. */
  readonly repeated: readonly string[]
  find(key: string): KnownRow | undefined
  /** Keys of the rows whose entry in `isPresent` is 0, by row number. */
  keysWithout(isPresent: Uint8Array): Iterable<string>
}

export const NOTHING_KNOWN: KnownRows = {
  ...{ size: 0, rows: 0, repeated: [] },
  find: () => undefined,
  keysWithout: () => [],
}

const COLUMNS = ['key', 'digest', 'stamp', 'made'] as const

/** Closes the table when done. */
export async function readKnown(table: Table, root: string, only?: readonly string[]): Promise<KnownRows> {
  try {
    const keysOnly = only ? ` AND key IN (${only.map(quoteSql).join(', ')})` : ''
    const query = table
      .query()
      .select([...COLUMNS])
      .where(`root = ${quoteSql(root)}${keysOnly}`)
    const known = new RowsByKey()
    for await (const batch of query) known.add(batch)
    return known
  } finally {
    table.close()
  }
}

/**
 * A million strings as keys would take more memory than the rest of a sync, so each is represented by a
 * 31-bit hash.
 */
class RowsByKey implements KnownRows {
  readonly #byHash = new Map<number, number>()
  /** Rows whose hash was already taken by another key. */
  readonly #others = new Map<string, number>()
  readonly #repeated = new Set<string>()
  /**
   * In order of arrival, each with the number of its first row. In one column over all batches, Arrow would
   * search for the batch of every value.
   */
  readonly #batches: { readonly first: number; readonly columns: readonly Vector[] }[] = []
  rows = 0

  add(batch: RecordBatch): void {
    const columns = COLUMNS.map(name => batch.getChild(name)!)
    this.#batches.push({ first: this.rows, columns })
    for (let row = 0; row < batch.numRows; row++) this.#put(String(columns[0]!.get(row)), this.rows++)
  }

  #put(key: string, number: number): void {
    const hash = hashOf(key)
    if (!this.#byHash.has(hash)) this.#byHash.set(hash, number)
    else if (this.#numberOf(key) === undefined) this.#others.set(key, number)
    else this.#repeated.add(key)
  }

  get size(): number {
    return this.#byHash.size + this.#others.size
  }

  get repeated(): readonly string[] {
    return [...this.#repeated]
  }

  find(key: string): KnownRow | undefined {
    const number = this.#numberOf(key)
    if (number === undefined) return undefined
    const [, digest, stamp, made] = this.#read(number)
    return { number, digest: digest!, stamp: stamp!, made: made! }
  }

  *keysWithout(isPresent: Uint8Array): Generator<string> {
    for (let number = 0; number < this.rows; number++) {
      if (isPresent[number] !== 0) continue
      const [key] = this.#read(number)
      // `find` returns only the first of several rows with one key.
      if (this.#numberOf(key!) === number) yield key!
    }
  }

  #numberOf(key: string): number | undefined {
    const number = this.#byHash.get(hashOf(key))
    return number !== undefined && this.#read(number)[0] === key ? number : this.#others.get(key)
  }

  /** In the order of `COLUMNS`. */
  #read(number: number): string[] {
    let [from, until] = [0, this.#batches.length]
    while (until - from > 1) {
      const middle = (from + until) >> 1
      if (this.#batches[middle]!.first <= number) from = middle
      else until = middle
    }
    const { first, columns } = this.#batches[from]!
    return columns.map(column => String(column.get(number - first)))
  }
}

/** FNV-1a, cut to 31 bits, which V8 stores without allocating an object. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 2
}
