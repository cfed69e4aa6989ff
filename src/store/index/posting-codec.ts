// Lists of one word in one chunk of documents, as bytes. Heads: for each document its number in the chunk (2 bytes), the
// fields as bits, a count for each field. Places: for each document and field, positions as differences. Scoring reads
// heads alone. Both are plain sequences, so lists are joined and cut without decoding their numbers.
import type { Occurrences, Postings } from '../../search/index.ts'
import { placeOf } from '../../search/index.ts'
import { DamagedIndex } from './database.ts'

/** Documents in a chunk: what a change of one document rewrites of each of its words. */
export const CHUNK = 1024

export interface EncodedList {
  readonly heads: Uint8Array
  readonly places: Uint8Array
}

/** Appends one document to growing lists of bytes. `places` are ascending. */
export function encodeDocument(
  list: { readonly heads: number[]; readonly places: number[] },
  offset: number,
  fields: readonly (readonly number[])[],
): void {
  let mask = 0
  fields.forEach((positions, field) => {
    if (positions.length > 0) mask |= 1 << field
  })
  list.heads.push(offset & 255, offset >>> 8, mask)
  for (const positions of fields) {
    if (positions.length === 0) continue
    pushVarint(list.heads, positions.length)
    let previous = 0
    for (const position of positions) {
      pushVarint(list.places, position - previous)
      previous = position
    }
  }
}

/** Decodes the chunks of one word, in order, without its places. */
export function decodePostings(chunks: readonly { readonly chunk: number; readonly heads: Uint8Array }[]): Postings {
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
export function decodeOccurrences(chunks: readonly { readonly places: Uint8Array }[], postings: Postings): Occurrences {
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

/** A list without some documents and with others; where both lists hold one, the added entry stays. */
export function spliceList(list: EncodedList, removed: ReadonlySet<number>, added: EncodedList): EncodedList {
  const kept = entriesOf(list).filter(entry => !removed.has(entry.offset))
  const fresh = entriesOf(added)
  const offsets = new Set(fresh.map(entry => entry.offset))
  const merged = [
    ...kept.filter(entry => !offsets.has(entry.offset)).map(entry => ({ ...entry, list })),
    ...fresh.map(entry => ({ ...entry, list: added })),
  ].sort((a, b) => a.offset - b.offset)
  return {
    heads: concat(merged.map(entry => entry.list.heads.subarray(entry.head, entry.headEnd))),
    places: concat(merged.map(entry => entry.list.places.subarray(entry.place, entry.placeEnd))),
  }
}

/** Ascending numbers as differences. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let previous = 0
  for (const number of numbers) {
    pushVarint(bytes, number - previous)
    previous = number
  }
  return Uint8Array.from(bytes)
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

interface Entry {
  readonly offset: number
  readonly head: number
  readonly headEnd: number
  readonly place: number
  readonly placeEnd: number
}

function entriesOf({ heads, places }: EncodedList): Entry[] {
  const entries: Entry[] = []
  let at = 0
  let place = 0
  while (at < heads.length) {
    const head = at
    const offset = heads[at]! + (heads[at + 1]! << 8)
    let numbers = 0
    at += 3
    for (let mask = heads[head + 2]!; mask !== 0; mask &= mask - 1) {
      let count = 0
      for (let shift = 0; ; shift += 7) {
        const byte = heads[at++]
        if (byte === undefined) throw new DamagedIndex('a list of documents ends inside an entry')
        count |= (byte & 127) << shift
        if (byte < 128) break
      }
      numbers += count
    }
    const start = place
    while (numbers > 0) {
      const byte = places[place++]
      if (byte === undefined) throw new DamagedIndex('a list of places ends too early')
      if (byte < 128) numbers--
    }
    entries.push({ offset, head, headEnd: at, place: start, placeEnd: place })
  }
  return entries
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    bytes.push((rest & 127) | 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
