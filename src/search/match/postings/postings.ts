// Lists of where words stand, by document; and what is found where several of them meet.
import { fieldOf } from './place.ts'

export interface Postings {
  /** Ascending document numbers. */
  readonly docs: Uint32Array
  /** For each document, the fields that hold the word, as bits. */
  readonly masks: Uint8Array
  /** For each document, for each of its fields from low to high, how often the word stands there. */
  readonly counts: Uint32Array
}

/** The fields in which a list has a document, as bits; 0 when it does not have it. */
export function findMask({ docs, masks }: Postings, doc: number): number {
  let low = 0
  let high = docs.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (docs[middle] === doc) return masks[middle]!
    if (docs[middle]! < doc) low = middle + 1
    else high = middle - 1
  }
  return 0
}

/** Occurrences of the document at index `i`: those from `starts[i]` to `starts[i + 1]`. */
export interface Occurrences {
  readonly starts: Uint32Array
  readonly places: Uint32Array
}

/** A stretch of a sorted list of places. */
export interface Places {
  readonly places: ArrayLike<number>
  readonly start: number
  readonly end: number
}

/** The places of the second slot that directly follow one of the first. */
export function findPairs(slots: readonly Places[]): readonly number[] {
  const [first, second] = [slots[0]!, slots[1]!]
  let found = NONE
  let right = second.start
  for (let left = first.start; left < first.end && right < second.end; left++) {
    const wanted = first.places[left]! + 1
    while (right < second.end && second.places[right]! < wanted) right++
    if (right === second.end || second.places[right] !== wanted) continue
    if (found === NONE) found = []
    found.push(wanted)
  }
  return found
}

/** The places of a slot that directly follow one of these. */
export function keepFollowed(ends: readonly number[], slot: Places): readonly number[] {
  const found: number[] = []
  let right = slot.start
  for (const end of ends) {
    while (right < slot.end && slot.places[right]! <= end) right++
    if (right < slot.end && slot.places[right] === end + 1) found.push(end + 1)
  }
  return found
}

/** Most documents have nothing to be found: no list is made for them. */
const NONE: number[] = []

/** Places where all slots stand in one field with at most `near` words between neighbours: one for each cluster. */
export function findClusters(slots: readonly Places[], near: number): readonly number[] {
  const at = slots.map(slot => slot.start)
  const found: number[] = []
  const seen = new Set<number>()
  let previous = -1
  while (true) {
    const slot = firstSlot(slots, at)
    if (slot === -1) return found
    const place = slots[slot]!.places[at[slot]!++]!
    if (previous === -1 || place - previous - 1 > near || fieldOf(place) !== fieldOf(previous)) seen.clear()
    previous = place
    seen.add(slot)
    if (seen.size < slots.length) continue
    found.push(place)
    seen.clear()
    previous = -1
  }
}

/** The slot whose next place comes first, or -1 when all are read. */
function firstSlot(slots: readonly Places[], at: readonly number[]): number {
  let first = -1
  let least = 0
  for (let slot = 0; slot < slots.length; slot++) {
    if (at[slot]! >= slots[slot]!.end) continue
    const place = slots[slot]!.places[at[slot]!]!
    if (first !== -1 && place >= least) continue
    first = slot
    least = place
  }
  return first
}
