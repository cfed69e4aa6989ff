// Shows equal items as one hit. The first of them stands for all, unless the caller prefers another: one that
// can be loaded is preferred to one that cannot. An item that is asked for by its id stands for itself.
import { roundScore } from '../rank/score.ts'
import type { Copies } from './copies.ts'
import { type Group, type Hit, TIER } from './hit.ts'
import type { OpenSpace } from './stored-space.ts'

/** Documents of one tier of one space. */
export interface TierDocs extends Group {
  readonly at: number
  readonly scores: Float32Array
}

/** The documents of one space that may be verified. */
export type SignedDocs = (at: number) => ReadonlySet<number>

export interface EqualDocs {
  readonly copies: Copies
  readonly signed: SignedDocs
}

export interface Collapsed {
  readonly tiers: readonly TierDocs[]
  /** All equal items that a hit stands for, itself first; undefined for one without copies. */
  membersOf(hit: Pick<Hit, 'at' | 'doc' | 'tier'>): readonly Hit[] | undefined
}

/**
 * Keeps one document of each group of equal ones that were found, and raises its score to the best of the
 * group.
 */
export function collapseCopies(
  spaces: readonly OpenSpace[],
  tiers: readonly TierDocs[],
  { copies, signed }: EqualDocs,
): Collapsed {
  // Thousands are found, and many have copies. Each is an entry, known by its number, so that no object is
  // made for it.
  const starts = tiers.map((_, index) => countDocs(tiers.slice(0, index)))
  const total = countDocs(tiers)
  const docs = new Uint32Array(total)
  const tierOf = new Uint8Array(total)
  const isDropped = new Uint8Array(total)
  /** 1 + the entry before it in the same group; 0 for none. The next two also hold 1 + an entry. */
  const before = new Uint32Array(total)
  const firsts = new Uint32Array(copies.count + 1)
  const lasts = new Uint32Array(copies.count + 1)
  const best = new Float64Array(copies.count + 1)
  const several: number[] = []
  const compare = compareEntries(spaces, signed, { docs, tierOf: entry => tiers[tierOf[entry]!]! })
  tiers.forEach((tier, index) => {
    const start = starts[index]!
    tierOf.fill(index, start, start + tier.docs.length)
    docs.set(tier.docs, start)
    const groups = groupsOf(tier, copies)
    if (groups === undefined) return
    for (let at = 0; at < tier.docs.length; at++) {
      const doc = tier.docs[at]!
      const group = groups[doc]!
      if (group === 0) continue
      const entry = start + at
      const score = tier.scores[doc]!
      before[entry] = lasts[group]!
      lasts[group] = entry + 1
      if (before[entry] === 0) {
        firsts[group] = entry + 1
        best[group] = score
        continue
      }
      const first = firsts[group]! - 1
      if (before[before[entry]! - 1] === 0) several.push(group)
      if (score > best[group]!) best[group] = score
      const isBetter = compare(entry, first) < 0
      isDropped[isBetter ? first : entry] = 1
      if (isBetter) firsts[group] = entry + 1
    }
  })
  for (const group of several) {
    const first = firsts[group]! - 1
    tiers[tierOf[first]!]!.scores[docs[first]!] = best[group]!
  }
  const leaveFirsts = (tier: TierDocs, index: number): TierDocs => ({
    ...tier,
    docs: keepOthers(tier.docs, isDropped, starts[index]!),
  })
  return {
    tiers: several.length === 0 ? tiers : tiers.map(leaveFirsts),
    membersOf({ at, doc, tier }) {
      const group = tier === TIER.id ? 0 : (copies.groups[at]?.[doc] ?? 0)
      const members: number[] = []
      for (let next = lasts[group]!; next !== 0; next = before[next - 1]!) members.push(next - 1)
      if (members.length < 2) return undefined
      // Sorted only now, because the score of the first was raised.
      return members.sort(compare).map(entry => hitOf(docs[entry]!, tiers[tierOf[entry]!]!))
    },
  }
}

export function countDocs(tiers: readonly TierDocs[]): number {
  return tiers.reduce((sum, { docs }) => sum + docs.length, 0)
}

/** The groups of a tier's documents; undefined for items that are asked for by id. */
function groupsOf({ at, tier }: TierDocs, { groups, count }: Copies): Uint32Array | undefined {
  return tier === TIER.id || count === 0 ? undefined : groups[at]
}

/** Documents whose entries, from `start` on, are not dropped. */
function keepOthers(docs: Uint32Array, isDropped: Uint8Array, start: number): Uint32Array {
  const kept = new Uint32Array(docs.length)
  let count = 0
  for (let at = 0; at < docs.length; at++) if (isDropped[start + at] === 0) kept[count++] = docs[at]!
  return kept.subarray(0, count)
}

function hitOf(doc: number, { at, tier, isPartial, scores }: TierDocs): Hit {
  return { at, doc, tier, isPartial, score: roundScore(scores[doc]!) }
}

interface Entries {
  readonly docs: Uint32Array
  tierOf(entry: number): TierDocs
}

/** Items that may be verified come first. */
function compareEntries(
  spaces: readonly OpenSpace[],
  signed: SignedDocs,
  { docs, tierOf }: Entries,
): (a: number, b: number) => number {
  const sets = spaces.map((_, at) => signed(at))
  const isSigned = ({ at }: TierDocs, doc: number) => Number(sets[at]!.has(doc))
  const rank = ({ at }: TierDocs, doc: number) => spaces[at]!.reader.items.idRanks()[doc]!
  return (a, b) => {
    const one = tierOf(a)
    const other = tierOf(b)
    const doc = docs[a]!
    const otherDoc = docs[b]!
    return (
      isSigned(other, otherDoc) - isSigned(one, doc) ||
      one.tier - other.tier ||
      roundScore(other.scores[otherDoc]!) - roundScore(one.scores[doc]!) ||
      one.at - other.at ||
      rank(one, doc) - rank(other, otherDoc)
    )
  }
}
