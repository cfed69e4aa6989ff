// Rows that were read as candidates, kept for the next question. A row of LanceDB never changes in its place, so that its place names it
// whatever the version of the table is; only a table that was made anew has other rows in the same places.
import type { Candidate } from '../row.ts'

/** Characters and bytes of all rows that are kept, about a third of what they take in memory. */
const MOST = 48_000_000

export class RowCache {
  /** The row that was not used for the longest time comes first. */
  readonly #rows = new Map<bigint, Candidate>()
  #size = 0
  #table: string | undefined

  /** Forgets the rows of any other table. One without a name may be another every time. */
  belongTo(table: string | undefined): void {
    if (table !== undefined && table === this.#table) return
    this.#table = table
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

function sizeOf({ bytes, document: { fields, description } }: Candidate): number {
  const texts = [...fields.content, ...fields.parameters, description]
  return texts.reduce((sum, text) => sum + text.length, 1000 + (bytes?.length ?? 0))
}
