// Where a word occurs: in which documents, in which fields of each, how often, and at which places.

export interface Postings {
  /** Ascending document numbers. */
  readonly docs: Uint32Array
  /** For each document, the fields that have the word, as bits. */
  readonly masks: Uint8Array
  /** For each document, for each of those fields from low to high, how often it has the word. */
  readonly counts: Uint32Array
}

/** The fields of one document that have the word, as bits; 0 when none has. */
export function findMask({ docs, masks }: Postings, doc: number): number {
  let low = 0
  let high = docs.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (docs[middle] === doc) return masks[middle]!
    if (docs[middle]! < doc) low = middle + 1
    else high = middle - 1
  }
  return 0
}

/** The places of the document at index `i` are those from `starts[i]` to `starts[i + 1]`. */
export interface Occurrences {
  readonly starts: Uint32Array
  readonly places: Uint32Array
}

/** Only the occurrences in one field. */
export function keepField(postings: Postings, field: number): Postings {
  const bit = 1 << field
  const docs: number[] = []
  const counts: number[] = []
  let next = 0
  for (let index = 0; index < postings.docs.length; index++) {
    for (let mask = postings.masks[index]!; mask !== 0; mask &= mask - 1) {
      const count = postings.counts[next++]!
      if ((mask & -mask) !== bit) continue
      docs.push(postings.docs[index]!)
      counts.push(count)
    }
  }
  return {
    docs: Uint32Array.from(docs),
    masks: new Uint8Array(docs.length).fill(bit),
    counts: Uint32Array.from(counts),
  }
}
