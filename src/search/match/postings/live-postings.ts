// Removes deleted documents, which have type 0, from postings.
import { popCount } from '../bits.ts'
import type { Occurrences, Postings } from './postings.ts'

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

/** Does the same for places. `postings` must still have all documents. */
export function keepLivePlaces(postings: Postings, occurrences: Occurrences, types: Uint8Array): Occurrences {
  const starts: number[] = [0]
  const places = new Uint32Array(occurrences.places.length)
  let size = 0
  postings.docs.forEach((doc, index) => {
    if (types[doc] === 0) return
    const own = occurrences.places.subarray(occurrences.starts[index]!, occurrences.starts[index + 1]!)
    places.set(own, size)
    size += own.length
    starts.push(size)
  })
  return { starts: Uint32Array.from(starts), places: places.subarray(0, size) }
}
