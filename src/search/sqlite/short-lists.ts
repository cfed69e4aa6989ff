// How short lists are stored: those of neighbouring terms share a row. There are hundreds of thousands of a
// few bytes each, and a row costs as much as its list. For each term that has a list, a row has the last bits
// of the term's number, the sizes of its heads and of its places, then the heads and the places.
import { DamagedIndex } from '../match/postings/damaged-index.ts'
import type { EncodedList } from '../match/postings/encode-postings.ts'

/** Lists of this many bytes or more have a row of their own. */
export const LONG_LIST = 512
/** Terms whose short lists of one chunk are in one row. */
const TERMS_IN_ROW = 64

/** The number of the row of a term. In the key of a row it takes the place of the term's number. */
export function rowOf(term: number): number {
  return Math.floor(term / TERMS_IN_ROW)
}

/** The place of a term in its row. */
export function slotOf(term: number): number {
  return term % TERMS_IN_ROW
}

export function termAt(row: number, slot: number): number {
  return row * TERMS_IN_ROW + slot
}

/** A list in one piece: the heads up to `headSize`, then the places up to `size`. */
export interface JoinedList {
  readonly bytes: Uint8Array
  readonly headSize: number
  readonly size: number
}

export function joinList({ heads, places }: EncodedList): JoinedList {
  const bytes = new Uint8Array(heads.length + places.length)
  bytes.set(heads)
  bytes.set(places, heads.length)
  return { bytes, headSize: heads.length, size: bytes.length }
}

/** Writes one row after another, and reuses its memory. */
export class ShortListEncoder {
  #bytes = new Uint8Array(1 << 16)
  #size = 0

  /** Terms come in ascending order. */
  add(slot: number, { bytes, headSize, size }: JoinedList): void {
    if (this.#size + size + 5 > this.#bytes.length) this.#grow(this.#size + size + 5)
    this.#bytes[this.#size++] = slot
    this.#addSize(headSize)
    this.#addSize(size - headSize)
    for (let at = 0; at < size; at++) this.#bytes[this.#size++] = bytes[at]!
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** The row; valid until something is added again. */
  take(): Uint8Array {
    const row = this.#bytes.subarray(0, this.#size)
    this.#size = 0
    return row
  }

  /** A short list has fewer than 2^14 bytes. */
  #addSize(size: number): void {
    if (size > 127) this.#bytes[this.#size++] = (size & 127) | 128
    this.#bytes[this.#size++] = size > 127 ? size >> 7 : size
  }

  #grow(least: number): void {
    const larger = new Uint8Array(2 * least)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Visits the lists of a row, with the place of each term in it. */
export function visitShortLists(row: Uint8Array, visit: (slot: number, list: EncodedList) => void): void {
  for (let at = 0; at < row.length; ) {
    const slot = row[at++]!
    let headSize = row[at++]!
    if (headSize > 127) headSize = (headSize & 127) + 128 * row[at++]!
    let placeSize = row[at++]!
    if (placeSize > 127) placeSize = (placeSize & 127) + 128 * row[at++]!
    const places = at + headSize
    const end = places + placeSize
    // A size that is cut off makes `end` NaN, which this also rejects.
    if (!(end <= row.length) || slot >= TERMS_IN_ROW) throw new DamagedIndex('a row of lists is cut')
    visit(slot, { heads: row.subarray(at, places), places: row.subarray(places, end) })
    at = end
  }
}

export function findShortList(row: Uint8Array, wanted: number): EncodedList | undefined {
  let found: EncodedList | undefined
  visitShortLists(row, (slot, list) => {
    if (slot === wanted) found = list
  })
  return found
}
