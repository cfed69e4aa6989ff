// Where several words occur together: one after another, or close to each other in any order.
import { fieldOf } from './postings/place.ts'

/** Part of a sorted list of places: those from `start` to `end`. */
export interface Places {
  readonly places: ArrayLike<number>
  readonly start: number
  readonly end: number
}

/** Places of the second slot that directly follow a place of the first. */
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

/** Places of a slot that directly follow one of `ends`. */
export function keepFollowed(ends: readonly number[], slot: Places): readonly number[] {
  const found: number[] = []
  let right = slot.start
  for (const end of ends) {
    while (right < slot.end && slot.places[right]! <= end) right++
    if (right < slot.end && slot.places[right] === end + 1) found.push(end + 1)
  }
  return found
}

/** Shared, because most documents have no match. */
const NONE: number[] = []

/**
 * Places where all slots occur in one field with at most `near` words between neighbours: one place for each
 * cluster.
 */
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

/** The slot whose next place comes first; -1 when all are read. */
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
