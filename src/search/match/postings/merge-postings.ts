// Merges the postings of several words into one list. A few are merged in pairs. For many that would take too
// long, so counts are added up by document.
import { lowestBit } from '../bits.ts'
import { FIELD_COUNT } from './place.ts'
import type { Postings } from './postings.ts'

/** Adds up many lists. As large as the collection, so it is reused. */
export class FieldSums {
  readonly capacity: number
  readonly #counts: Uint32Array
  /** For each document, the fields that have a count, as bits. */
  readonly #masks: Uint8Array
  #docs = 0
  #fields = 0

  constructor(capacity: number) {
    this.capacity = capacity
    this.#counts = new Uint32Array(capacity * FIELD_COUNT)
    this.#masks = new Uint8Array(capacity)
  }

  add(doc: number, field: number, count: number): void {
    const mask = this.#masks[doc]!
    const bit = 1 << field
    if ((mask & bit) === 0) {
      if (mask === 0) this.#docs++
      this.#fields++
      this.#masks[doc] = mask | bit
      this.#counts[doc * FIELD_COUNT + field] = count
    } else this.#counts[doc * FIELD_COUNT + field]! += count
  }

  addList({ docs, masks, counts }: Postings): void {
    let next = 0
    for (let index = 0; index < docs.length; index++) {
      const doc = docs[index]!
      for (let mask = masks[index]!; mask !== 0; mask &= mask - 1)
        this.add(doc, lowestBit(mask), counts[next++]!)
    }
  }

  /** Returns what was added, and starts again from zero. */
  take(): Postings {
    const docs = new Uint32Array(this.#docs)
    const masks = new Uint8Array(this.#docs)
    const counts = new Uint32Array(this.#fields)
    let size = 0
    let written = 0
    for (let doc = 0; doc < this.capacity; doc++) {
      const fields = this.#masks[doc]!
      if (fields === 0) continue
      docs[size] = doc
      masks[size++] = fields
      for (let mask = fields; mask !== 0; mask &= mask - 1)
        counts[written++] = this.#counts[doc * FIELD_COUNT + lowestBit(mask)]!
    }
    this.#masks.fill(0)
    this.#docs = 0
    this.#fields = 0
    return { docs, masks, counts }
  }
}

export function mergePostings(lists: readonly Postings[]): Postings {
  const [first = EMPTY, ...others] = lists
  return others.reduce(mergePair, first)
}

const EMPTY: Postings = { docs: new Uint32Array(), masks: new Uint8Array(), counts: new Uint32Array() }

function mergePair(left: Postings, right: Postings): Postings {
  const docs = new Uint32Array(left.docs.length + right.docs.length)
  const masks = new Uint8Array(docs.length)
  const counts = new Uint32Array(left.counts.length + right.counts.length)
  let size = 0
  let written = 0
  let leftCount = 0
  let rightCount = 0
  for (let l = 0, r = 0; l < left.docs.length || r < right.docs.length; size++) {
    const takesLeft = r >= right.docs.length || (l < left.docs.length && left.docs[l]! <= right.docs[r]!)
    const takesRight = l >= left.docs.length || (r < right.docs.length && right.docs[r]! <= left.docs[l]!)
    docs[size] = takesLeft ? left.docs[l]! : right.docs[r]!
    const leftMask = takesLeft ? left.masks[l++]! : 0
    const rightMask = takesRight ? right.masks[r++]! : 0
    masks[size] = leftMask | rightMask
    for (let mask = leftMask | rightMask; mask !== 0; mask &= mask - 1) {
      const bit = mask & -mask
      let count = 0
      if ((leftMask & bit) !== 0) count += left.counts[leftCount++]!
      if ((rightMask & bit) !== 0) count += right.counts[rightCount++]!
      counts[written++] = count
    }
  }
  return { docs: docs.subarray(0, size), masks: masks.subarray(0, size), counts: counts.subarray(0, written) }
}
