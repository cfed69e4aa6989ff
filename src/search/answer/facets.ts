// Facets narrow an answer, and tell how many hits each value would leave. They are counted over all hits that
// are listed, on every page. The values of one facet are counted among the hits that the other facets leave,
// so that each number is what choosing that value shows.
import { flattenText } from '../../base/index.ts'
import { ITEM_TYPES } from '../../item/index.ts'
import { roundScore } from '../rank/score.ts'
import type { TierDocs } from './collapse-copies.ts'
import type { Copies } from './copies.ts'
import type { Hit } from './hit.ts'
import type { Facet, FacetCounts } from './search-request.ts'
import type { OpenSpace, StoredSpace } from './stored-space.ts'
import { boundOf, type WeakBelow } from './weak-hits.ts'

export interface Narrowed {
  /** The documents found that are listed and have the chosen values. */
  readonly tiers: readonly TierDocs[]
  readonly counts: FacetCounts
  /** How many documents with the chosen values are too weak to be listed. */
  readonly weaker: number
}

interface Judgement {
  readonly facets: readonly Facet[]
  readonly weak: WeakBelow
  /** The best hit, which is listed however weak it is. */
  readonly first: Hit | undefined
  readonly copies: Copies
}

/**
 * `tiers` are what was found, before equal items are collapsed: which of them stands for all depends on what
 * is chosen.
 */
export function narrow(
  spaces: readonly OpenSpace[],
  tiers: readonly TierDocs[],
  { facets, weak, first, copies }: Judgement,
): Narrowed {
  const tally = new Tally(facets)
  let weaker = 0
  const left = tiers.map(group => {
    const { at, docs, scores } = group
    const columns = facets.map(facet => columnOf(spaces[at]!, facet))
    const wanted = facets.map(({ chosen }, index) =>
      chosen === undefined ? undefined : columns[index]!.numberOf(chosen),
    )
    const bound = boundOf(group, Number.POSITIVE_INFINITY, weak)
    const groups = copies.groups[at]!
    // Thousands of documents pass through here each time someone presses a key, so nothing is allocated for
    // any of them.
    const passes = (doc: number): boolean => {
      let lacking = 0
      let lacked = 0
      for (let index = 0; index < facets.length; index++) {
        if (wanted[index] === undefined || columns[index]!.at(doc) === wanted[index]) continue
        lacking++
        lacked = index
      }
      if (roundScore(scores[doc]!) < bound && !(first?.doc === doc && first.at === at)) {
        if (lacking === 0) weaker++
        return false
      }
      if (lacking > 1) return false
      const copy = groups[doc] || undefined
      if (lacking === 1) tally.count(lacked, columns[lacked]!, doc, copy)
      else for (let index = 0; index < facets.length; index++) tally.count(index, columns[index]!, doc, copy)
      return lacking === 0
    }
    return { ...group, docs: docs.filter(passes) }
  })
  return { tiers: left, counts: tally.counts(), weaker }
}

/** Counts how often each value was met. */
class Tally {
  readonly #facets: readonly Facet[]
  readonly #numbers: readonly Map<Column, number[]>[]
  /** A group of equal items counts once for each value that one of them has. */
  readonly #copies = new Set<string>()

  constructor(facets: readonly Facet[]) {
    this.#facets = facets
    this.#numbers = facets.map(() => new Map())
  }

  count(facet: number, column: Column, doc: number, copy: number | undefined): void {
    const value = column.at(doc)
    if (copy !== undefined) {
      const key = `${copy} ${facet} ${column.values[value]}`
      if (this.#copies.has(key)) return
      this.#copies.add(key)
    }
    let numbers = this.#numbers[facet]!.get(column)
    if (numbers === undefined) {
      numbers = []
      this.#numbers[facet]!.set(column, numbers)
    }
    numbers[value] = (numbers[value] ?? 0) + 1
  }

  counts(): FacetCounts {
    return new Map(
      this.#facets.map(({ name }, facet) => {
        const counts = new Map<string, number>()
        for (const [{ values }, numbers] of this.#numbers[facet]!) {
          numbers.forEach((count, value) => {
            const text = values[value]!
            if (text !== '') counts.set(text, (counts.get(text) ?? 0) + count)
          })
        }
        return [name, counts]
      }),
    )
  }
}

/** The values of a facet in one space as numbers, each read when it is first needed. */
class Column {
  readonly values: string[] = ['']
  readonly #read: (doc: number) => string
  readonly #numbers = new Map([['', 0]])
  /** 1 + the number of the value; 0 when it was not read yet. */
  readonly #docs: Uint32Array

  constructor(capacity: number, read: (doc: number) => string) {
    this.#docs = new Uint32Array(capacity)
    this.#read = read
  }

  at(doc: number): number {
    const known = this.#docs[doc]!
    if (known > 0) return known - 1
    const number = this.numberOf(this.#read(doc))
    this.#docs[doc] = number + 1
    return number
  }

  numberOf(value: string): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#numbers.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}

/** Kept for as long as the space has the same reader and the facet the same function. */
const known = new WeakMap<StoredSpace, WeakMap<Facet['of'], Column>>()

function columnOf(open: OpenSpace, { of }: Facet): Column {
  const columns = known.get(open.reader) ?? new WeakMap()
  known.set(open.reader, columns)
  const column = columns.get(of) ?? new Column(open.reader.capacity, readerOf(open, of))
  columns.set(of, column)
  return column
}

/** Each column is read when a facet first asks for it. */
function readerOf({ space, reader }: OpenSpace, of: Facet['of']): (doc: number) => string {
  const textOf = (name: string, doc: number) => {
    const json = reader.items.values([name]).get(name)?.[doc]
    return json ? String(JSON.parse(json)) : ''
  }
  return doc =>
    of({
      get id() {
        return textOf('id', doc)
      },
      get type() {
        return ITEM_TYPES.find((_, index) => reader.docsOfType(index + 1).has(doc))!
      },
      space,
      get category() {
        return flattenText(textOf('category', doc))
      },
    })
}
