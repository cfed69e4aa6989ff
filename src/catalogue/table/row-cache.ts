// Keeps rows that were read as candidates for the next query, as long as the table is the same and nobody has
// written to it. LanceDB never changes a row in place, but a table that was recreated or restored has other
// rows in the same places.
import type { Candidate } from '../row.ts'

/** Characters and bytes of all cached rows, about a third of the memory that they take. */
const MOST = 48_000_000

export class RowCache {
  /** The least recently used row comes first. */
  readonly #rows = new Map<bigint, Candidate>()
  #size = 0
  #table: string | undefined
  #version = 0

  /**
   * Forgets the rows of any other table or version. Without a name, it may be a different table every time.
   */
  belongTo(table: string | undefined, version: number): void {
    if (table !== undefined && table === this.#table && version === this.#version) return
    this.#table = table
    this.#version = version
    this.#rows.clear()
    this.#size = 0
  }

  get(place: bigint): Candidate | undefined {
    const row = this.#rows.get(place)
    if (!row) return undefined
    this.#rows.delete(place)
    this.#rows.set(place, row)
    return row
  }

  put(place: bigint, row: Candidate): void {
    if (this.#rows.has(place)) return
    this.#rows.set(place, row)
    this.#size += sizeOf(row)
    for (const [oldest, dropped] of this.#rows) {
      if (this.#size <= MOST) break
      this.#rows.delete(oldest)
      this.#size -= sizeOf(dropped)
    }
  }
}

function sizeOf({ bytes, document: { fields, description, prose = '', metadata } }: Candidate): number {
  const texts = [...fields.content, ...fields.parameters, description, prose, ...Object.keys(metadata)]
  return texts.reduce((sum, text) => sum + text.length, 1000 + (bytes?.length ?? 0))
}
