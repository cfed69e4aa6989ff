// A document that matched, and the order of hits.
import type { DocSet } from '../match/doc-set.ts'
import type { SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/**
 * The first criterion of order: this id, this exact name, another spelling of the name, a name that the
 * question mentions, all others.
 */
export const TIER = { id: 0, name: 1, spelling: 2, said: 3, found: 4 } as const

export interface Hit {
  /** The index of its space. */
  readonly at: number
  readonly doc: number
  readonly score: number
  /** One of `TIER`. */
  readonly tier: number
  /** It lacks words of the query. */
  readonly isPartial: boolean
}

export interface Matching {
  /** All that match. `groupByTier` changes this set, and `full`. */
  readonly found: DocSet
  /** Documents with all words. */
  readonly full: DocSet
  readonly named: ReadonlyMap<number, number>
  /** Documents of the type that is asked for; undefined when the question asks for none. */
  readonly asked: DocSet | undefined
}

export interface Group extends Pick<Hit, 'tier' | 'isPartial'> {
  readonly docs: Uint32Array
}

/** The documents of each tier, with full matches apart from partial ones. */
export function groupByTier({ found, full, named, asked }: Matching): Group[] {
  const partial = found.remove(full)
  const first: number[][] = [[], [], [], []]
  for (const [doc, tier] of named) {
    partial.delete(doc)
    // Its type is not the one that is asked for: it is found, but not first.
    if (tier >= TIER.spelling && asked?.has(doc) === false) {
      full.add(doc)
      continue
    }
    first[tier]!.push(doc)
    full.delete(doc)
  }
  return [
    ...first.map((docs, tier) => ({ tier, isPartial: false, docs: Uint32Array.from(docs) })),
    { tier: TIER.found, isPartial: false, docs: full.members() },
    { tier: TIER.found, isPartial: true, docs: partial.members() },
  ]
}

/** More than rounding can add to a score. */
const ROUNDING = 0.0001

/**
 * The score that a document of a tier needs to be better than the worst hit kept. Named items always have
 * score 1.
 */
export function scoreFloor(tier: number, worst: Hit | undefined): number {
  if (worst === undefined || tier < TIER.found || tier < worst.tier) return Number.NEGATIVE_INFINITY
  return tier > worst.tier ? Number.POSITIVE_INFINITY : worst.score - ROUNDING
}

/**
 * Best first; then by precedence of the space, then by id. Orders other than by score keep full matches
 * before partial ones.
 */
export function compareHits(
  spaces: readonly OpenSpace[],
  sortBy: SearchRequest['sortBy'],
): (a: Hit, b: Hit) => number {
  // Ranks are only read for hits that are equal in everything else, which is rare.
  const rank = ({ at, doc }: Hit) => spaces[at]!.reader.items.idRanks()[doc]!
  const byPlace = (a: Hit, b: Hit) => a.at - b.at || rank(a) - rank(b)
  if (sortBy === 'score') return (a, b) => a.tier - b.tier || b.score - a.score || byPlace(a, b)
  const byCompleteness = (a: Hit, b: Hit) => Number(a.isPartial) - Number(b.isPartial)
  if (sortBy === 'date') {
    const dates = spaces.map(({ reader }) => reader.items.dates())
    const dateOf = ({ at, doc }: Hit) => dates[at]![doc]
    return (a, b) => byCompleteness(a, b) || compareDates(dateOf(a), dateOf(b)) || byPlace(a, b)
  }
  const names = spaces.map(({ reader }) => reader.items.names())
  return (a, b) =>
    byCompleteness(a, b) || compareTexts(names[a.at]![a.doc]!, names[b.at]![b.doc]!) || byPlace(a, b)
}

/**
 * Newest first. An item that states no date is outside every range of dates, and so comes last. The time of
 * its file would only say when it was copied.
 */
function compareDates(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return b - a
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
