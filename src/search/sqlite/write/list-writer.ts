// Writes the lists of the terms of one chunk: long ones in rows of their own, short ones together.
import { type EncodedList, joinLists, shiftDocuments } from '../../match/postings/encode-postings.ts'
import { keyOf } from '../chunks.ts'
import {
  type JoinedList,
  joinList,
  LONG_LIST,
  rowOf,
  ShortListEncoder,
  slotOf,
  visitShortLists,
} from '../short-lists.ts'
import type { Statements } from '../statements.ts'

const FIND_LONG = 'SELECT heads, places FROM posting WHERE key = ?'
const FIND_SHORT = 'SELECT lists FROM short_posting WHERE key = ?'
const PUT_LONG = 'INSERT OR REPLACE INTO posting VALUES (?, ?, ?)'
const PUT_SHORT = 'INSERT OR REPLACE INTO short_posting VALUES (?, ?)'

export class ListWriter {
  readonly #statements: Statements
  readonly #chunk: number
  readonly #documents: number
  readonly #encoder = new ShortListEncoder()
  #row = -1
  /**
   * Short lists of the row, by the place of their term: those that it has already, and those that are added.
   */
  readonly #lists = new Map<number, JoinedList>()

  /** The chunk may have some documents already. Those that are added now are numbered after them. */
  constructor(statements: Statements, chunk: number, documents: number) {
    this.#statements = statements
    this.#chunk = chunk
    this.#documents = documents
  }

  /** Terms come in ascending order. The bytes may be reused afterwards. */
  add(term: number, list: JoinedList): void {
    if (rowOf(term) !== this.#row) this.#begin(rowOf(term))
    const slot = slotOf(term)
    const whole = this.#documents === 0 ? list : this.#append(term, list)
    if (whole.size >= LONG_LIST) {
      this.#lists.delete(slot)
      const heads = whole.bytes.subarray(0, whole.headSize)
      const places = whole.bytes.subarray(whole.headSize, whole.size)
      this.#statements.get(PUT_LONG).run(keyOf(term, this.#chunk), heads, places)
    } else if (this.#documents === 0) this.#encoder.add(slot, whole)
    else this.#lists.set(slot, whole)
  }

  flush(): void {
    for (const [slot, list] of [...this.#lists].sort(([a], [b]) => a - b)) this.#encoder.add(slot, list)
    this.#lists.clear()
    if (this.#encoder.isEmpty) return
    this.#statements.get(PUT_SHORT).run(keyOf(this.#row, this.#chunk), this.#encoder.take())
  }

  #begin(row: number): void {
    this.flush()
    this.#row = row
    if (this.#documents === 0) return
    const [old] = this.#statements.all<{ lists: Uint8Array }>(FIND_SHORT, keyOf(row, this.#chunk))
    if (old) visitShortLists(old.lists, (slot, list) => this.#lists.set(slot, joinList(list)))
  }

  /** The list that the chunk has for a term, with these documents appended. */
  #append(term: number, { bytes, headSize, size }: JoinedList): JoinedList {
    const added = { heads: bytes.slice(0, headSize), places: bytes.slice(headSize, size) }
    const later = shiftDocuments(added, this.#documents)
    const short = this.#lists.get(slotOf(term))
    const old = short
      ? { heads: short.bytes.subarray(0, short.headSize), places: short.bytes.subarray(short.headSize) }
      : this.#statements.all<EncodedList>(FIND_LONG, keyOf(term, this.#chunk))[0]
    return joinList(old ? joinLists(old, later) : later)
  }
}
