// Lists of one word in one chunk of documents, as bytes. Heads: for each document its number in the chunk (2 bytes), the
// fields as bits, a count for each field. Places: for each document and field, positions as differences. Scoring reads
// heads alone. Both are plain sequences, so lists are joined by joining their bytes.

import { popCount } from '../doc-set.ts'
import { DamagedIndex } from './damaged-index.ts'
import type { FieldSums } from './merge-postings.ts'
import { fieldOf, placeOf, positionOf } from './place.ts'
import type { Occurrences, Postings } from './postings.ts'

/** Lists of one term have neighbouring keys: `term * CHUNK_KEYS + chunk`. */
export const CHUNK_KEYS = 2 ** 20
/** Documents in a chunk at most: they are numbered in 16 bits. */
export const CHUNK_SIZE = 8192

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

  /** Ends the life of all lists so far: their memory is used again. */
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
      const count = this.#counts[31 - Math.clz32(mask & -mask)]!
      this.#headSize = writeVarint(this.#heads, this.#headSize, count)
    }
    this.#mask = 0
    this.#field = -1
  }
}

/** Decodes the chunks of one word, in order, without its places. `base` is the number of a chunk's first document. */
export function decodePostings(
  chunks: readonly { readonly base: number; readonly heads: Uint8Array }[],
): Postings {
  // An entry has three bytes and more, a count one and more. To count them first would take as long as to read them.
  const bytes = chunks.reduce((sum, { heads }) => sum + heads.length, 0)
  const docs = new Uint32Array(bytes / 3)
  const masks = new Uint8Array(bytes / 3)
  const counts = new Uint32Array(bytes)
  let size = 0
  let written = 0
  for (const { base, heads } of chunks) {
    let at = 0
    while (at < heads.length) {
      docs[size] = base + heads[at]! + (heads[at + 1]! << 8)
      const fields = heads[at + 2]!
      masks[size++] = fields
      at += 3
      for (let mask = fields; mask !== 0; mask &= mask - 1) {
        let byte = heads[at++]!
        let count = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = heads[at++]!
          count |= (byte & 127) << shift
        }
        counts[written++] = count
      }
    }
    if (at !== heads.length) throw new DamagedIndex('a list of documents ends inside an entry')
  }
  // Copies: lists are kept, and those of the commonest words are megabytes.
  return { docs: docs.slice(0, size), masks: masks.slice(0, size), counts: counts.slice(0, written) }
}

/** Adds one chunk of a list to sums, without making a list of it; documents of type 0 are no more. */
export function addHeads(
  sums: FieldSums,
  chunk: { readonly base: number; readonly heads: Uint8Array },
  types: Uint8Array,
): void {
  const { base, heads } = chunk
  let at = 0
  while (at < heads.length) {
    const doc = base + heads[at]! + (heads[at + 1]! << 8)
    if (doc >= types.length) throw new DamagedIndex('a list names a document that does not exist')
    const isLive = types[doc] !== 0
    let mask = heads[at + 2]!
    at += 3
    for (; mask !== 0; mask &= mask - 1) {
      let byte = heads[at++]!
      let count = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = heads[at++]!
        count |= (byte & 127) << shift
      }
      if (isLive) sums.add(doc, 31 - Math.clz32(mask & -mask), count)
    }
  }
  if (at !== heads.length) throw new DamagedIndex('a list of documents ends inside an entry')
}

/** The fields of one document in a chunk of a list, as bits; 0 when it is not there. */
export function findHead(heads: Uint8Array, offset: number): number {
  for (let at = 0; at < heads.length; ) {
    const found = heads[at]! + (heads[at + 1]! << 8)
    const fields = heads[at + 2]!
    if (found === offset) return fields
    if (found > offset) return 0
    at += 3
    for (let mask = fields; mask !== 0; mask &= mask - 1) while (heads[at++]! > 127);
  }
  return 0
}

/** Decodes the places of the documents that `decodePostings` gave. */
export function decodeOccurrences(
  chunks: readonly { readonly places: Uint8Array }[],
  postings: Postings,
): Occurrences {
  const { docs, masks, counts } = postings
  const starts = new Uint32Array(docs.length + 1)
  let total = 0
  for (const count of counts) total += count
  const places = new Uint32Array(total)
  let chunk = 0
  let bytes = chunks[0]?.places ?? new Uint8Array()
  let at = 0
  let next = 0
  let written = 0
  for (let index = 0; index < docs.length; index++) {
    for (let mask = masks[index]!; mask !== 0; mask &= mask - 1) {
      const field = 31 - Math.clz32(mask & -mask)
      let position = 0
      for (let left = counts[next++]!; left > 0; left--) {
        if (at === bytes.length) {
          bytes = chunks[++chunk]?.places ?? new Uint8Array()
          at = 0
          if (bytes.length === 0) throw new DamagedIndex('a list of places ends too early')
        }
        let byte = bytes[at++]!
        let difference = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!
          difference |= (byte & 127) << shift
        }
        position += difference
        places[written++] = placeOf(field, position)
      }
    }
    starts[index + 1] = written
  }
  return { starts, places }
}

/** Leaves out documents that are no more: those of type 0. */
export function keepLive(postings: Postings, types: Uint8Array): Postings {
  const { docs, masks, counts } = postings
  const live = {
    docs: new Uint32Array(docs.length),
    masks: new Uint8Array(docs.length),
    counts: new Uint32Array(counts.length),
  }
  let size = 0
  let next = 0
  let written = 0
  for (let index = 0; index < docs.length; index++) {
    const fields = popCount(masks[index]!)
    if (types[docs[index]!] !== 0) {
      live.docs[size] = docs[index]!
      live.masks[size++] = masks[index]!
      for (let field = 0; field < fields; field++) live.counts[written++] = counts[next + field]!
    }
    next += fields
  }
  return {
    docs: live.docs.subarray(0, size),
    masks: live.masks.subarray(0, size),
    counts: live.counts.subarray(0, written),
  }
}

/** The same for places; `postings` are those before any was left out. */
export function keepLivePlaces(postings: Postings, occurrences: Occurrences, types: Uint8Array): Occurrences {
  const starts: number[] = [0]
  const places = new Uint32Array(occurrences.places.length)
  let size = 0
  postings.docs.forEach((doc, index) => {
    if (types[doc] === 0) return
    const stretch = occurrences.places.subarray(occurrences.starts[index]!, occurrences.starts[index + 1]!)
    places.set(stretch, size)
    size += stretch.length
    starts.push(size)
  })
  return { starts: Uint32Array.from(starts), places: places.subarray(0, size) }
}

/** A list followed by another, whose documents are all later. */
export function joinLists(list: EncodedList, later: EncodedList): EncodedList {
  return { heads: joinBytes(list.heads, later.heads), places: joinBytes(list.places, later.places) }
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
