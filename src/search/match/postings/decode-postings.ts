// Decodes the bytes of `encode-postings.ts` to postings. These loops run over every document of every word of
// a query, so they read numbers in place: a function that returned a number and its end would have to make an
// object of the two.
import { lowestBit } from '../bits.ts'
import { DamagedIndex } from './damaged-index.ts'
import type { FieldSums } from './merge-postings.ts'
import { placeOf } from './place.ts'
import type { Occurrences, Postings } from './postings.ts'

/** Decodes the heads of one word, chunk after chunk. `base` is the number of a chunk's first document. */
export function decodePostings(
  chunks: readonly { readonly base: number; readonly heads: Uint8Array }[],
): Postings {
  // Upper bounds: an entry takes at least three bytes, and a count one. Counting them first would take as
  // long as decoding them.
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
  // Copies of just the part that was filled, because lists are cached, and those of the most common words
  // take megabytes.
  return { docs: docs.slice(0, size), masks: masks.slice(0, size), counts: counts.slice(0, written) }
}

/** Adds the heads of one chunk to sums, without making a list of them. Documents of type 0 were deleted. */
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
      if (isLive) sums.add(doc, lowestBit(mask), count)
    }
  }
  if (at !== heads.length) throw new DamagedIndex('a list of documents ends inside an entry')
}

/** The fields of one document in the heads of a chunk, as bits; 0 when it is not there. */
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

/** Decodes the places of the documents that `decodePostings` returned. */
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
      const field = lowestBit(mask)
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
