// Equal items as one hit. The first of them stands for all; which one that is, whoever asks may change: one that can be loaded is
// preferred to one that cannot. What is asked for by its id stands for itself.
import { DocSet } from '../match/doc-set.ts'
import { roundScore } from '../rank/score.ts'
import type { Copies } from './copies.ts'
import { type Group, type Hit, TIER } from './hit.ts'
import type { OpenSpace } from './stored-space.ts'

/** Documents of one tier of one space. */
export interface TierDocs extends Group {
  readonly at: number
  readonly scores: Float64Array
}

/** The documents of one space that may be verified. */
export type SignedDocs = (at: number) => ReadonlySet<number>

export interface EqualDocs {
  readonly copies: Copies
  readonly signed: SignedDocs
}

export interface Collapsed {
  readonly tiers: readonly TierDocs[]
  /** All that a hit stands for, itself first; undefined for one without copies. */
  membersOf(hit: Pick<Hit, 'at' | 'doc' | 'tier'>): readonly Hit[] | undefined
}

/** Leaves one document of each group of equal ones that were found, and raises its score to the best of them. */
export function collapseCopies(
  spaces: readonly OpenSpace[],
  tiers: readonly TierDocs[],
  { copies, signed }: EqualDocs,
): Collapsed {
  const compare = compareCopies(spaces, signed)
  // By group, the hit that stands for it so far. Most groups that are found have several: no object is made for one that is alone.
  const docs = new Uint32Array(copies.count + 1)
  /** 1 more than the index of its tier; 0 for none. */
  const tierOf = new Uint8Array(copies.count + 1)
  const several = new Map<number, Equals>()
  const dropped = spaces.map(({ reader }) => new DocSet(reader.capacity))
  const isDropping = spaces.map(() => false)
  tiers.forEach((tier, index) => {
    const groups = groupsOf(tier, copies)
    if (groups === undefined) return
    for (const doc of tier.docs) {
      const group = groups[doc]!
      if (group === 0) continue
      if (tierOf[group] === 0) {
        docs[group] = doc
        tierOf[group] = index + 1
        continue
      }
      let equals = several.get(group)
      if (equals === undefined) {
        equals = standAlone(docs[group]!, tiers[tierOf[group]! - 1]!)
        several.set(group, equals)
      }
      const other = addEqual(equals, doc, { tier, compare })
      dropped[other.at]!.add(other.doc)
      isDropping[other.at] = true
    }
  })
  for (const { first, best } of several.values()) spaces[first.at]!.reader.scores[first.doc] = best
  return {
    tiers: tiers.map(tier =>
      isDropping[tier.at]
        ? { ...tier, docs: tier.docs.filter(doc => !dropped[tier.at]!.has(doc) || tier.tier === TIER.id) }
        : tier,
    ),
    membersOf({ at, doc, tier }) {
      const group = tier === TIER.id ? 0 : (copies.groups[at]?.[doc] ?? 0)
      // Made anew, as the score of the first was raised.
      return several
        .get(group)
        ?.members.map(member => hitOf(member.doc, member.tier))
        .sort(compare)
    },
  }
}

/** Equal documents that were found. */
interface Equals {
  first: Hit
  best: number
  readonly members: { readonly doc: number; readonly tier: TierDocs }[]
}

/** Gives the one that does not stand for the others. */
function addEqual(
  equals: Equals,
  doc: number,
  { tier, compare }: { readonly tier: TierDocs; readonly compare: (a: Hit, b: Hit) => number },
): Hit {
  const hit = hitOf(doc, tier)
  const before = equals.first
  equals.members.push({ doc, tier })
  equals.best = Math.max(equals.best, tier.scores[doc]!)
  if (compare(hit, before) >= 0) return hit
  equals.first = hit
  return before
}

/** Of the documents of a tier; none for what is asked for by its id. */
function groupsOf({ at, tier }: TierDocs, { groups, count }: Copies): Uint32Array | undefined {
  return tier === TIER.id || count === 0 ? undefined : groups[at]
}

function hitOf(doc: number, { at, tier, isPartial, scores }: TierDocs): Hit {
  return { at, doc, tier, isPartial, score: roundScore(scores[doc]!) }
}

function standAlone(doc: number, tier: TierDocs): Equals {
  return { first: hitOf(doc, tier), best: tier.scores[doc]!, members: [{ doc, tier }] }
}

/** What may be verified comes first. */
function compareCopies(spaces: readonly OpenSpace[], signed: SignedDocs): (a: Hit, b: Hit) => number {
  const sets = spaces.map((_, at) => signed(at))
  const isSigned = ({ at, doc }: Hit) => Number(sets[at]!.has(doc))
  const rank = ({ at, doc }: Hit) => spaces[at]!.reader.items.idRanks()[doc]!
  return (a, b) =>
    isSigned(b) - isSigned(a) || a.tier - b.tier || b.score - a.score || a.at - b.at || rank(a) - rank(b)
}
