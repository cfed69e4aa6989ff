// The place of a word as one number, with the field in the high bits and the position in the low ones: the
// next word of the same field is one more, and sorting the numbers sorts by field and position.
import { SEARCH_FIELDS } from '../../../query/index.ts'

export const FIELD_COUNT = SEARCH_FIELDS.length

const POSITION_BITS = 29
export const MAX_POSITION = 0x1fffffff

/** Only this many characters of a text are indexed and shown. */
export const MAX_TEXT = 4_000_000

/** Positions between two values of one field, such as tags: too many for a phrase or proximity to span. */
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
