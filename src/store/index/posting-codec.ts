// Lists of one word in one chunk of documents, as bytes. Heads: for each document its number in the chunk (2 bytes), the
// fields as bits, a count for each field. Places: for each document and field, positions as differences. Scoring reads
// heads alone. Both are plain sequences, so lists are joined and cut without decoding their numbers.
import { fieldOf, type Occurrences, type Postings, placeOf, positionOf } from '../../search/index.ts'
import { DamagedIndex } from './database.ts'

/** Documents in a chunk: what a change of one document rewrites of each of its words. */
export const CHUNK = 1024

export interface EncodedList {
  readonly heads: Uint8Array
  readonly places: Uint8Array
}

/** Encodes one list after another into the same memory. */
export class ListEncoder {
  #heads = new Uint8Array(4096)
  #places = new Uint8Array(4096)
  #headSize = 0
  #placeSize = 0
  #offset = -1
  #mask = 0
  #field = -1
  #position = 0
  readonly #counts = new Uint32Array(8)

  begin(): void {
    this.#headSize = 0
    this.#placeSize = 0
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

  /** The list, in memory that the next one will use again. */
  finish(): EncodedList {
    this.#endDocument()
    return {
      heads: this.#heads.subarray(0, this.#headSize),
      places: this.#places.subarray(0, this.#placeSize),
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

/** Decodes the chunks of one word, in order, without its places. */
export function decodePostings(
  chunks: readonly { readonly chunk: number; readonly heads: Uint8Array }[],
): Postings {
  let bytes = 0
  for (const { heads } of chunks) bytes += heads.length
  const docs = new Uint32Array(bytes >> 2)
  const masks = new Uint8Array(bytes >> 2)
  const counts = new Uint32Array(bytes)
  let size = 0
  let written = 0
  for (const { chunk, heads } of chunks) {
    let at = 0
    while (at < heads.length) {
      docs[size] = chunk * CHUNK + heads[at]! + (heads[at + 1]! << 8)
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
  return { docs: docs.slice(0, size), masks: masks.slice(0, size), counts: counts.slice(0, written) }
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

/** A list without some documents and with others, which it does not hold. Both are ascending. */
export function spliceList(list: EncodedList, removed: ReadonlySet<number>, added: EncodedList): EncodedList {
  const old = new ListCursor(list)
  const fresh = new ListCursor(added)
  const joined = new ListWriter(
    list.heads.length + added.heads.length,
    list.places.length + added.places.length,
  )
  while (old.offset !== -1 || fresh.offset !== -1) {
    const takesFresh = old.offset === -1 || (fresh.offset !== -1 && fresh.offset < old.offset)
    const cursor = takesFresh ? fresh : old
    if (takesFresh || !removed.has(old.offset)) joined.append(cursor)
    cursor.advance()
  }
  return joined.finish()
}

/** Ascending numbers as differences. */
export function encodeNumbers(numbers: Float64Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 8)
  let size = 0
  let previous = 0
  for (const number of numbers) {
    size = writeVarint(bytes, size, number - previous)
    previous = number
  }
  return bytes.subarray(0, size)
}

export function decodeNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let previous = 0
  let at = 0
  while (at < bytes.length) {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) throw new DamagedIndex('a list of numbers ends inside one')
      value += (byte & 127) * 2 ** shift
      if (byte < 128) break
    }
    previous += value
    numbers.push(previous)
  }
  return numbers
}

/** Walks over the entries of a list: where each one's bytes are. */
class ListCursor {
  readonly list: EncodedList
  /** The document of the entry, or -1 at the end. */
  offset = -1
  head = 0
  headEnd = 0
  place = 0
  placeEnd = 0

  constructor(list: EncodedList) {
    this.list = list
    this.advance()
  }

  advance(): void {
    const { heads, places } = this.list
    this.head = this.headEnd
    this.place = this.placeEnd
    if (this.head >= heads.length) {
      this.offset = -1
      return
    }
    this.offset = heads[this.head]! + (heads[this.head + 1]! << 8)
    let at = this.head + 3
    let numbers = 0
    for (let mask = heads[this.head + 2]!; mask !== 0; mask &= mask - 1) {
      let byte = heads[at++]!
      let count = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = heads[at++]!
        count |= (byte & 127) << shift
      }
      numbers += count
    }
    let end = this.place
    while (numbers > 0 && end < places.length) if (places[end++]! < 128) numbers--
    if (at > heads.length || numbers > 0) throw new DamagedIndex('a list ends inside an entry')
    this.headEnd = at
    this.placeEnd = end
  }
}

/** Collects entries byte by byte: most have four or five. */
class ListWriter {
  readonly #heads: Uint8Array
  readonly #places: Uint8Array
  #headSize = 0
  #placeSize = 0

  constructor(heads: number, places: number) {
    this.#heads = new Uint8Array(heads)
    this.#places = new Uint8Array(places)
  }

  append({ list, head, headEnd, place, placeEnd }: ListCursor): void {
    for (let at = head; at < headEnd; at++) this.#heads[this.#headSize++] = list.heads[at]!
    for (let at = place; at < placeEnd; at++) this.#places[this.#placeSize++] = list.places[at]!
  }

  finish(): EncodedList {
    return {
      heads: this.#heads.subarray(0, this.#headSize),
      places: this.#places.subarray(0, this.#placeSize),
    }
  }
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
