// A set of document numbers, as bits: AND, OR and NOT over 100 000 documents take microseconds.
import { lowestBit, popCount } from './bits.ts'

export class DocSet {
  readonly #words: Uint32Array

  constructor(capacity: number) {
    this.#words = new Uint32Array((capacity + 31) >>> 5)
  }

  static of(capacity: number, docs: ArrayLike<number>): DocSet {
    const set = new DocSet(capacity)
    const words = set.#words
    for (let index = 0; index < docs.length; index++) {
      const doc = docs[index]!
      words[doc >>> 5]! |= 1 << (doc & 31)
    }
    return set
  }

  /** All documents from 0 to the capacity. */
  static full(capacity: number): DocSet {
    const set = new DocSet(capacity)
    set.#words.fill(0xffffffff)
    if (capacity % 32 > 0) set.#words[set.#words.length - 1] = (1 << (capacity % 32)) - 1
    return set
  }

  add(doc: number): void {
    this.#words[doc >>> 5]! |= 1 << (doc & 31)
  }

  delete(doc: number): void {
    this.#words[doc >>> 5]! &= ~(1 << (doc & 31))
  }

  has(doc: number): boolean {
    return (this.#words[doc >>> 5]! & (1 << (doc & 31))) !== 0
  }

  copy(): DocSet {
    const copy = new DocSet(this.#words.length << 5)
    copy.#words.set(this.#words)
    return copy
  }

  /** Changes this set, as do the next two. Both sets must have the same capacity. */
  keep(other: DocSet): this {
    for (let index = 0; index < this.#words.length; index++) this.#words[index]! &= other.#words[index]!
    return this
  }

  unite(other: DocSet): this {
    for (let index = 0; index < this.#words.length; index++) this.#words[index]! |= other.#words[index]!
    return this
  }

  remove(other: DocSet): this {
    for (let index = 0; index < this.#words.length; index++) this.#words[index]! &= ~other.#words[index]!
    return this
  }

  isEmpty(): boolean {
    return this.#words.every(word => word === 0)
  }

  /** The members in ascending order. */
  members(): Uint32Array {
    let count = 0
    for (let index = 0; index < this.#words.length; index++) count += popCount(this.#words[index]!)
    const members = new Uint32Array(count)
    let next = 0
    for (let index = 0; index < this.#words.length; index++) {
      let word = this.#words[index]!
      while (word !== 0) {
        members[next++] = (index << 5) + lowestBit(word)
        word &= word - 1
      }
    }
    return members
  }
}
