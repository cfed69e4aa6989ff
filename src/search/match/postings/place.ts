// A place where a word stands is one number, field in the high bits and position in the low ones, so that "the next word of
// the same field" is "one more", and sorted numbers are sorted by field and position.

const POSITION_BITS = 29
export const MAX_POSITION = 0x1fffffff

/** A text past this is searched, and shown, by its beginning. */
export const MAX_TEXT = 4_000_000

/** Values of one field, such as tags, stand so far apart that no phrase and no proximity joins them. */
export const VALUE_GAP = 1024

export function placeOf(field: number, position: number): number {
  return ((field << POSITION_BITS) | position) >>> 0
}

export function fieldOf(place: number): number {
  return place >>> POSITION_BITS
}

export function positionOf(place: number): number {
  return place & MAX_POSITION
}
