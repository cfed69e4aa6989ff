// Matches one leaf in one space: which documents, in which fields, how often. The space is behind an
// interface, so that this file has the rules and no storage.
import { SEARCH_FIELDS } from '../../query/index.ts'
import type { Leaf, Pattern } from './compiled-query.ts'
import { DocSet } from './doc-set.ts'
import { findClusters, findPairs, keepFollowed, type Places } from './phrases.ts'
import { mergePostings } from './postings/merge-postings.ts'
import { fieldOf } from './postings/place.ts'
import { keepField, type Occurrences, type Postings } from './postings/postings.ts'

/** The words of one space that a pattern accepts. */
export interface Expansion {
  readonly terms: readonly number[]
  /** There were more words than the pattern allows. */
  readonly capped: boolean
}

export interface TermSource {
  /** All document numbers are below this. */
  readonly capacity: number
  expand(pattern: Pattern): Expansion
  /** The postings of all words that a pattern accepts, as one list. */
  matches(pattern: Pattern): Postings
  postings(term: number): Postings
  occurrences(term: number): Occurrences
}

export function matchLeaf(source: TermSource, leaf: Leaf): Postings {
  const found =
    leaf.slots.length === 1 && leaf.near === undefined
      ? source.matches(leaf.slots[0]!)
      : matchPositions(source, leaf)
  if (leaf.also) return mergePostings([found, ...leaf.also.map(slots => matchLeaf(source, { slots }))])
  return leaf.field === undefined ? found : keepField(found, SEARCH_FIELDS.indexOf(leaf.field))
}

function matchPositions(source: TermSource, leaf: Leaf): Postings {
  const candidates = leaf.slots
    .map(slot => DocSet.of(source.capacity, source.matches(slot).docs))
    .reduce((set, other) => set.keep(other))
  const { near } = leaf
  if (near === undefined) return matchSequence(source, leaf.slots, candidates)
  return toPostings(findIn(source, leaf.slots, candidates, places => findClusters(places, near)))
}

/**
 * Slot by slot: the places of a word are read only in documents that have the words before it in sequence.
 */
function matchSequence(source: TermSource, slots: readonly Pattern[], candidates: DocSet): Postings {
  const [first, second, ...others] = slots
  let found = findIn(source, [first!, second!], candidates, findPairs)
  for (const slot of others) {
    const before = found
    if (before.docs.length === 0) break
    let at = 0
    found = findIn(source, [slot], DocSet.of(source.capacity, before.docs), ([places]) =>
      keepFollowed(before.places[at++]!, places!),
    )
  }
  return toPostings(found)
}

interface FoundPlaces {
  readonly docs: readonly number[]
  /** The places found in each document. */
  readonly places: readonly (readonly number[])[]
}

/** The documents in which `find` finds something, given the places of each slot. */
function findIn(
  source: TermSource,
  slots: readonly Pattern[],
  candidates: DocSet,
  find: (slots: readonly Places[]) => readonly number[],
): FoundPlaces {
  const members = candidates.members()
  const docs: number[] = []
  const places: (readonly number[])[] = []
  if (members.length === 0) return { docs, places }
  const readers = slots.map(slot => new SlotReader(source, source.expand(slot).terms, candidates))
  for (const doc of members) {
    for (const reader of readers) reader.seek(doc)
    const found = find(readers)
    if (found.length === 0) continue
    docs.push(doc)
    places.push(found)
  }
  return { docs, places }
}

function toPostings({ docs, places }: FoundPlaces): Postings {
  const counts: number[] = []
  const masks = Uint8Array.from(places, found => countFields(found, counts))
  return { docs: Uint32Array.from(docs), masks, counts: Uint32Array.from(counts) }
}

/** Appends the number of places in each field, and returns the fields as bits. Places are sorted. */
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

interface PlacedList {
  readonly docs: Uint32Array
  readonly occurrences: Occurrences
}

/** Goes through documents in ascending order, with the places of one slot's words in each. */
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
