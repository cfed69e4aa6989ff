// Where words stand. An occurrence is one number, field in the high bits and position in the low ones, so that "the next
// word of the same field" is "one more", and sorted numbers are sorted by field and position.

export interface Postings {
  /** Ascending document numbers. */
  readonly docs: Uint32Array
  /** For each document, the fields that hold the word, as bits. */
  readonly masks: Uint8Array
  /** For each document, for each of its fields from low to high, how often the word stands there. */
  readonly counts: Uint32Array
}

/** Occurrences of the document at index `i`: those from `starts[i]` to `starts[i + 1]`. */
export interface Occurrences {
  readonly starts: Uint32Array
  readonly places: Uint32Array
}

export const POSITION_BITS = 29
export const MAX_POSITION = 2 ** POSITION_BITS - 1

/** Values of one field, such as tags, stand so far apart that no phrase and no proximity joins them. */
export const VALUE_GAP = 1024

export function placeOf(field: number, position: number): number {
  return field * 2 ** POSITION_BITS + position
}

export function fieldOf(place: number): number {
  return place >>> POSITION_BITS
}

/** The places at which the slots stand one after another; each slot is a sorted list of places. */
export function findSequences(slots: readonly ArrayLike<number>[]): number[] {
  const [first, ...rest] = slots
  let ends = Array.from(first!)
  for (const slot of rest) {
    const next: number[] = []
    let at = 0
    for (const end of ends) {
      while (at < slot.length && slot[at]! < end + 1) at++
      if (at < slot.length && slot[at] === end + 1) next.push(end + 1)
    }
    ends = next
  }
  return ends
}

/** Places where all slots stand in one field with at most `near` words between neighbours: one place for each cluster. */
export function findClusters(slots: readonly ArrayLike<number>[], near: number): number[] {
  const all = slots.flatMap((places, slot) => Array.from(places, place => ({ place, slot })))
  all.sort((a, b) => a.place - b.place)
  const found: number[] = []
  let seen = new Set<number>()
  let previous = Number.NEGATIVE_INFINITY
  for (const { place, slot } of all) {
    const apart = place - previous - 1 > near || fieldOf(place) !== fieldOf(Math.max(previous, 0))
    if (apart) seen = new Set()
    previous = place
    seen.add(slot)
    if (seen.size < slots.length) continue
    found.push(place)
    seen = new Set()
    previous = Number.NEGATIVE_INFINITY
  }
  return found
}
