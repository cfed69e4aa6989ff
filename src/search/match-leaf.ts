// One leaf against one space: which documents, in which fields, how often. The space is behind an interface, so that the
// rules are here and the storage is not.
import { SEARCH_FIELDS } from '../query/index.ts'
import { DocSet } from './doc-set.ts'
import { fieldOf, findClusters, findSequences, type Occurrences, type Postings } from './postings.ts'
import type { Clause, Leaf, Pattern } from './types.ts'

/** The words of one space that a pattern accepts. */
export interface Expansion {
  readonly terms: readonly number[]
  /** There were more words than the cap allows. */
  readonly capped: boolean
}

export interface TermSource {
  /** All document numbers are below this. */
  readonly capacity: number
  expand(pattern: Pattern): Expansion
  postings(term: number): Postings
  occurrences(term: number): Occurrences
}

export function matchLeaf(source: TermSource, leaf: Leaf): Postings {
  const found =
    leaf.slots.length === 1 && leaf.near === undefined
      ? unitePostings(source, source.expand(leaf.slots[0]!).terms)
      : matchPositions(source, leaf)
  return leaf.field === undefined ? found : keepField(found, SEARCH_FIELDS.indexOf(leaf.field))
}

/** The documents of a clause, given those of each leaf and the set of all. */
export function evaluateClause(clause: Clause, leaves: readonly DocSet[], all: DocSet): DocSet {
  switch (clause.kind) {
    case 'all':
      return all.copy()
    case 'leaf':
      return leaves[clause.leaf]!.copy()
    case 'not':
      return all.copy().remove(evaluateClause(clause.child, leaves, all))
    case 'and':
      return clause.children.map(child => evaluateClause(child, leaves, all)).reduce((set, other) => set.keep(other))
    case 'or':
      return clause.children.map(child => evaluateClause(child, leaves, all)).reduce((set, other) => set.unite(other))
  }
}

const NOTHING: Postings = { docs: new Uint32Array(), masks: new Uint8Array(), counts: new Uint32Array() }

/** Merges in pairs, so that a thousand words cost ten passes over their documents, not a thousand. */
function unitePostings(source: TermSource, terms: readonly number[]): Postings {
  if (terms.length === 0) return NOTHING
  if (terms.length === 1) return source.postings(terms[0]!)
  const middle = terms.length >> 1
  return mergePostings(unitePostings(source, terms.slice(0, middle)), unitePostings(source, terms.slice(middle)))
}

function mergePostings(left: Postings, right: Postings): Postings {
  const most = left.docs.length + right.docs.length
  const docs = new Uint32Array(most)
  const masks = new Uint8Array(most)
  const counts = new Uint32Array(left.counts.length + right.counts.length)
  let size = 0
  let written = 0
  let l = 0
  let r = 0
  let leftCount = 0
  let rightCount = 0
  while (l < left.docs.length || r < right.docs.length) {
    const leftDoc = l < left.docs.length ? left.docs[l]! : Number.POSITIVE_INFINITY
    const rightDoc = r < right.docs.length ? right.docs[r]! : Number.POSITIVE_INFINITY
    const leftMask = leftDoc <= rightDoc ? left.masks[l++]! : 0
    const rightMask = rightDoc <= leftDoc ? right.masks[r++]! : 0
    docs[size] = Math.min(leftDoc, rightDoc)
    masks[size++] = leftMask | rightMask
    for (let mask = leftMask | rightMask; mask !== 0; mask &= mask - 1) {
      const bit = mask & -mask
      let count = 0
      if (leftMask & bit) count += left.counts[leftCount++]!
      if (rightMask & bit) count += right.counts[rightCount++]!
      counts[written++] = count
    }
  }
  return { docs: docs.subarray(0, size), masks: masks.subarray(0, size), counts: counts.subarray(0, written) }
}

function matchPositions(source: TermSource, leaf: Leaf): Postings {
  const slots = leaf.slots.map(slot => source.expand(slot).terms)
  const candidates = slots
    .map(terms => uniteDocs(source, terms))
    .reduce((set, other) => set.keep(other))
    .members()
  if (candidates.length === 0) return NOTHING
  const readers = slots.map(terms => terms.map(term => new PlaceReader(source.postings(term), source.occurrences(term))))
  const docs: number[] = []
  const places: number[][] = []
  for (const doc of candidates) {
    const lists = readers.map(slot => mergePlaces(slot.map(reader => reader.read(doc))))
    const found = leaf.near === undefined ? findSequences(lists) : findClusters(lists, leaf.near)
    if (found.length === 0) continue
    docs.push(doc)
    places.push(found)
  }
  return countPlaces(docs, places)
}

function countPlaces(docs: readonly number[], places: readonly (readonly number[])[]): Postings {
  const masks = new Uint8Array(docs.length)
  const counts: number[] = []
  places.forEach((found, index) => {
    let field = -1
    for (const place of found) {
      if (fieldOf(place) === field) counts[counts.length - 1]!++
      else counts.push(1)
      field = fieldOf(place)
      masks[index]! |= 1 << field
    }
  })
  return { docs: Uint32Array.from(docs), masks, counts: Uint32Array.from(counts) }
}

function uniteDocs(source: TermSource, terms: readonly number[]): DocSet {
  const set = new DocSet(source.capacity)
  for (const term of terms) for (const doc of source.postings(term).docs) set.add(doc)
  return set
}

/** Reads the places of ascending documents from one list. */
class PlaceReader {
  readonly #postings: Postings
  readonly #occurrences: Occurrences
  #at = 0

  constructor(postings: Postings, occurrences: Occurrences) {
    this.#postings = postings
    this.#occurrences = occurrences
  }

  read(doc: number): Uint32Array | undefined {
    const { docs } = this.#postings
    while (this.#at < docs.length && docs[this.#at]! < doc) this.#at++
    if (docs[this.#at] !== doc) return undefined
    const { starts, places } = this.#occurrences
    return places.subarray(starts[this.#at]!, starts[this.#at + 1]!)
  }
}

function mergePlaces(lists: readonly (Uint32Array | undefined)[]): ArrayLike<number> {
  const present = lists.filter(list => list !== undefined)
  if (present.length <= 1) return present[0] ?? []
  return [...new Set(present.flatMap(list => Array.from(list)))].sort((a, b) => a - b)
}

function keepField(postings: Postings, field: number): Postings {
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
