// One leaf against one space: which documents, in which fields, how often. The space is behind an interface, so that the
// rules are here and the storage is not.
import { SEARCH_FIELDS } from '../query/index.ts'
import { DocSet } from './doc-set.ts'
import {
  fieldOf,
  findClusters,
  findSequences,
  type Occurrences,
  type Places,
  type Postings,
} from './postings.ts'
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
export function evaluateClause(clause: Clause, leafSet: (leaf: number) => DocSet, all: DocSet): DocSet {
  switch (clause.kind) {
    case 'all':
      return all.copy()
    case 'leaf':
      return leafSet(clause.leaf).copy()
    case 'not':
      return all.copy().remove(evaluateClause(clause.child, leafSet, all))
    case 'and':
      return clause.children
        .map(child => evaluateClause(child, leafSet, all))
        .reduce((set, other) => set.keep(other))
    case 'or':
      return clause.children
        .map(child => evaluateClause(child, leafSet, all))
        .reduce((set, other) => set.unite(other))
  }
}

const FIELDS = SEARCH_FIELDS.length
const NOTHING: Postings = { docs: new Uint32Array(), masks: new Uint8Array(), counts: new Uint32Array() }

function unitePostings(source: TermSource, terms: readonly number[]): Postings {
  const lists = terms.map(term => source.postings(term))
  // Few lists are merged in pairs; many would be walked over too often.
  if (lists.length <= 4)
    return lists.reduce((all, list) => (all === NOTHING ? list : mergePostings(all, list)), NOTHING)
  return addPostings(lists, source.capacity)
}

function mergePostings(left: Postings, right: Postings): Postings {
  const docs = new Uint32Array(left.docs.length + right.docs.length)
  const masks = new Uint8Array(docs.length)
  const counts = new Uint32Array(left.counts.length + right.counts.length)
  let size = 0
  let written = 0
  let leftCount = 0
  let rightCount = 0
  for (let l = 0, r = 0; l < left.docs.length || r < right.docs.length; size++) {
    const takesLeft = r >= right.docs.length || (l < left.docs.length && left.docs[l]! <= right.docs[r]!)
    const takesRight = l >= left.docs.length || (r < right.docs.length && right.docs[r]! <= left.docs[l]!)
    docs[size] = takesLeft ? left.docs[l]! : right.docs[r]!
    const leftMask = takesLeft ? left.masks[l++]! : 0
    const rightMask = takesRight ? right.masks[r++]! : 0
    masks[size] = leftMask | rightMask
    for (let mask = leftMask | rightMask; mask !== 0; mask &= mask - 1) {
      const bit = mask & -mask
      let count = 0
      if ((leftMask & bit) !== 0) count += left.counts[leftCount++]!
      if ((rightMask & bit) !== 0) count += right.counts[rightCount++]!
      counts[written++] = count
    }
  }
  return { docs: docs.subarray(0, size), masks: masks.subarray(0, size), counts: counts.subarray(0, written) }
}

/** Counts of many words together, added up document by document. */
function addPostings(lists: readonly Postings[], capacity: number): Postings {
  const sums = new Uint32Array(capacity * FIELDS)
  const docs = new DocSet(capacity)
  let most = 0
  for (const list of lists) {
    let next = 0
    for (let index = 0; index < list.docs.length; index++) {
      const doc = list.docs[index]!
      docs.add(doc)
      for (let mask = list.masks[index]!; mask !== 0; mask &= mask - 1) {
        sums[doc * FIELDS + 31 - Math.clz32(mask & -mask)]! += list.counts[next++]!
      }
    }
    most += next
  }
  const members = docs.members()
  const masks = new Uint8Array(members.length)
  const counts = new Uint32Array(most)
  let written = 0
  for (let index = 0; index < members.length; index++) {
    const base = members[index]! * FIELDS
    for (let field = 0; field < FIELDS; field++) {
      const sum = sums[base + field]!
      if (sum === 0) continue
      masks[index]! |= 1 << field
      counts[written++] = sum
    }
  }
  return { docs: members, masks, counts: counts.subarray(0, written) }
}

function matchPositions(source: TermSource, leaf: Leaf): Postings {
  const slots = leaf.slots.map(slot => source.expand(slot).terms)
  const candidates = slots.map(terms => uniteDocs(source, terms)).reduce((set, other) => set.keep(other))
  const members = candidates.members()
  if (members.length === 0) return NOTHING
  const readers = slots.map(terms => new SlotReader(source, terms, candidates))
  const docs: number[] = []
  const masks: number[] = []
  const counts: number[] = []
  const found: number[] = []
  for (const doc of members) {
    for (const reader of readers) reader.seek(doc)
    if (leaf.near === undefined) findSequences(readers, found)
    else findClusters(readers, leaf.near, found)
    if (found.length === 0) continue
    docs.push(doc)
    masks.push(countFields(found, counts))
  }
  return { docs: Uint32Array.from(docs), masks: Uint8Array.from(masks), counts: Uint32Array.from(counts) }
}

/** Appends how many of the places, which are sorted, lie in each field; returns the fields as bits. */
function countFields(places: readonly number[], counts: number[]): number {
  let mask = 0
  let field = -1
  for (const place of places) {
    if (fieldOf(place) === field) counts[counts.length - 1]!++
    else counts.push(1)
    field = fieldOf(place)
    mask |= 1 << field
  }
  return mask
}

function uniteDocs(source: TermSource, terms: readonly number[]): DocSet {
  const set = new DocSet(source.capacity)
  for (const term of terms) for (const doc of source.postings(term).docs) set.add(doc)
  return set
}

interface PlacedList {
  readonly docs: Uint32Array
  readonly occurrences: Occurrences
}

/** The places of one slot's words in one document after another, ascending. */
class SlotReader implements Places {
  places: ArrayLike<number> = []
  start = 0
  end = 0
  readonly #single: PlacedList | undefined
  readonly #merged = new Map<number, number[]>()
  #at = 0

  constructor(source: TermSource, terms: readonly number[], candidates: DocSet) {
    const lists = terms.map(term => ({
      docs: source.postings(term).docs,
      occurrences: source.occurrences(term),
    }))
    if (lists.length === 1) this.#single = lists[0]
    else for (const list of lists) this.#merge(list, candidates)
  }

  seek(doc: number): void {
    if (this.#single) this.#seekSingle(doc, this.#single)
    else {
      this.places = this.#merged.get(doc)?.sort((a, b) => a - b) ?? []
      this.end = this.places.length
    }
  }

  #seekSingle(doc: number, { docs, occurrences }: PlacedList): void {
    while (this.#at < docs.length && docs[this.#at]! < doc) this.#at++
    const found = docs[this.#at] === doc
    this.places = occurrences.places
    this.start = found ? occurrences.starts[this.#at]! : 0
    this.end = found ? occurrences.starts[this.#at + 1]! : 0
  }

  #merge(list: PlacedList, candidates: DocSet): void {
    const { starts, places } = list.occurrences
    list.docs.forEach((doc, index) => {
      if (!candidates.has(doc)) return
      const merged = this.#merged.get(doc) ?? []
      for (let at = starts[index]!; at < starts[index + 1]!; at++) merged.push(places[at]!)
      this.#merged.set(doc, merged)
    })
  }
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
