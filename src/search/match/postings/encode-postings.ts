// The postings of one word in one chunk of documents, as bytes. Heads: for each document its number in the
// chunk (2 bytes), the fields as bits, and a count for each field. Places: for each document and field,
// positions as differences. Scoring reads heads alone. Both are plain sequences, so that lists are joined by
// joining their bytes.
import { lowestBit } from '../bits.ts'
import { fieldOf, positionOf } from './place.ts'

export interface EncodedList {
  readonly heads: Uint8Array
  readonly places: Uint8Array
}

/** Encodes one list after another. */
export class ListEncoder {
  #heads = new Uint8Array(4096)
  #places = new Uint8Array(4096)
  #headStart = 0
  #headSize = 0
  #placeStart = 0
  #placeSize = 0
  #offset = -1
  #mask = 0
  #field = -1
  #position = 0
  readonly #counts = new Uint32Array(8)

  /** Reuses the memory of all lists so far, which must not be used any more. */
  clear(): void {
    this.#headSize = 0
    this.#placeSize = 0
  }

  begin(): void {
    this.#headStart = this.#headSize
    this.#placeStart = this.#placeSize
    this.#offset = -1
    this.#mask = 0
    this.#field = -1
  }

  /** Documents come in ascending order, and so do the places of each. */
  add(offset: number, place: number): void {
    if (offset !== this.#offset) {
      this.#endDocument()
      this.#offset = offset
    }
    const field = fieldOf(place)
    if (field !== this.#field) {
      this.#field = field
      this.#mask |= 1 << field
      this.#counts[field] = 0
      this.#position = 0
    }
    this.#counts[field]!++
    const position = positionOf(place)
    if (this.#placeSize + 5 > this.#places.length) this.#places = doubled(this.#places)
    this.#placeSize = writeVarint(this.#places, this.#placeSize, position - this.#position)
    this.#position = position
  }

  get headSize(): number {
    return this.#headSize
  }

  get placeSize(): number {
    return this.#placeSize
  }

  /** Ends a list. */
  end(): void {
    this.#endDocument()
  }

  /** A copy of all lists so far, one after another. */
  takeAll(): EncodedList {
    return { heads: this.#heads.slice(0, this.#headSize), places: this.#places.slice(0, this.#placeSize) }
  }

  /** Ends a list and returns it. */
  finish(): EncodedList {
    this.#endDocument()
    return {
      heads: this.#heads.subarray(this.#headStart, this.#headSize),
      places: this.#places.subarray(this.#placeStart, this.#placeSize),
    }
  }

  #endDocument(): void {
    if (this.#mask === 0) return
    if (this.#headSize + 48 > this.#heads.length) this.#heads = doubled(this.#heads)
    this.#heads[this.#headSize++] = this.#offset & 255
    this.#heads[this.#headSize++] = this.#offset >>> 8
    this.#heads[this.#headSize++] = this.#mask
    for (let mask = this.#mask; mask !== 0; mask &= mask - 1) {
      const count = this.#counts[lowestBit(mask)]!
      this.#headSize = writeVarint(this.#heads, this.#headSize, count)
    }
    this.#mask = 0
    this.#field = -1
  }
}

/** Appends a list whose documents are all later. */
export function joinLists(list: EncodedList, later: EncodedList): EncodedList {
  return { heads: joinBytes(list.heads, later.heads), places: joinBytes(list.places, later.places) }
}

/** The list with `by` added to the numbers of its documents. */
export function shiftDocuments({ heads, places }: EncodedList, by: number): EncodedList {
  const shifted = heads.slice()
  for (let at = 0; at < shifted.length; ) {
    const offset = shifted[at]! + 256 * shifted[at + 1]! + by
    shifted[at] = offset & 255
    shifted[at + 1] = offset >>> 8
    at += 3
    // A count for each field follows.
    for (let mask = shifted[at - 1]!; mask !== 0; mask &= mask - 1) {
      while (shifted[at]! > 127) at++
      at++
    }
  }
  return { heads: shifted, places }
}

function joinBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length)
  joined.set(left)
  joined.set(right, left.length)
  return joined
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let next = at
  let rest = value
  while (rest > 127) {
    bytes[next++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  bytes[next++] = rest
  return next
}

function doubled(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2)
  larger.set(bytes)
  return larger
}
