// Rows that were read as candidates, kept for the next question. A row of LanceDB never changes in its place, so that place and digest name
// it whatever the version of the table is; only a table that was made anew has other rows in the same places.
import type { Candidate } from '../row.ts'

/** Characters and bytes of all rows that are kept, about a third of what they take in memory. */
const MOST = 48_000_000

export interface RowName {
  readonly place: bigint
  readonly digest: string
}

export class RowCache {
  /** The row that was not used for the longest time comes first. */
  readonly #rows = new Map<string, Candidate>()
  #size = 0

  get(name: RowName): Candidate | undefined {
    const key = keyOf(name)
    const row = this.#rows.get(key)
    if (!row) return undefined
    this.#rows.delete(key)
    this.#rows.set(key, row)
    return row
  }

  put(name: RowName, row: Candidate): void {
    const key = keyOf(name)
    if (this.#rows.has(key)) return
    this.#rows.set(key, row)
    this.#size += sizeOf(row)
    for (const [oldest, dropped] of this.#rows) {
      if (this.#size <= MOST) break
      this.#rows.delete(oldest)
      this.#size -= sizeOf(dropped)
    }
  }
}

function keyOf({ place, digest }: RowName): string {
  return `${place} ${digest}`
}

function sizeOf({ bytes, document: { fields, description } }: Candidate): number {
  const texts = [...fields.content, ...fields.parameters, description]
  return texts.reduce((sum, text) => sum + text.length, 1000 + (bytes?.length ?? 0))
}
