// Equal items as one hit. The first of them stands for all; which one that is, whoever asks may change: one that can be loaded is
// preferred to one that cannot. What is asked for by its id stands for itself.
import { roundScore } from '../rank/score.ts'
import type { Copies } from './copies.ts'
import { type Group, type Hit, TIER } from './hit.ts'
import type { OpenSpace } from './stored-space.ts'

/** Documents of one tier of one space. */
export interface TierDocs extends Group {
  readonly at: number
  readonly scores: Float64Array
}

export interface Collapsed {
  readonly tiers: readonly TierDocs[]
  /** All that a hit stands for, itself first; undefined for one without copies. */
  membersOf(hit: Pick<Hit, 'at' | 'doc'>): readonly Hit[] | undefined
}

/** Leaves one document of each group of equal ones that were found, and raises its score to the best of them. */
export function collapseCopies(
  spaces: readonly OpenSpace[],
  tiers: readonly TierDocs[],
  copies: readonly Copies[],
): Collapsed {
  const found = groupHits(tiers, copies)
  const members = spaces.map(() => new Map<number, readonly Hit[]>())
  const dropped = spaces.map(() => new Set<number>())
  for (const hits of found.values()) {
    if (hits.length === 1) continue
    hits.sort(compareCopies(spaces))
    const [first, ...others] = hits as [TierHit, ...TierHit[]]
    members[first.at]!.set(first.doc, hits)
    first.scores[first.doc] = hits.reduce((best, { doc, scores }) => Math.max(best, scores[doc]!), 0)
    for (const { at, doc } of others) dropped[at]!.add(doc)
  }
  return {
    tiers: tiers.map(group => {
      const out = dropped[group.at]!
      return out.size === 0 ? group : { ...group, docs: group.docs.filter(doc => !out.has(doc)) }
    }),
    membersOf: ({ at, doc }) => members[at]!.get(doc),
  }
}

interface TierHit extends Hit {
  readonly scores: Float64Array
}

function groupHits(tiers: readonly TierDocs[], copies: readonly Copies[]): Map<number, TierHit[]> {
  const found = new Map<number, TierHit[]>()
  for (const { at, tier, isPartial, docs, scores } of tiers) {
    const groups = copies[at]!
    if (groups.size === 0 || tier === TIER.id) continue
    for (const doc of docs) {
      const group = groups.get(doc)
      if (group === undefined) continue
      const hit = { at, doc, tier, isPartial, scores, score: roundScore(scores[doc]!) }
      const others = found.get(group)
      if (others) others.push(hit)
      else found.set(group, [hit])
    }
  }
  return found
}

/** What may be signed comes first: nothing else can be verified. */
function compareCopies(spaces: readonly OpenSpace[]): (a: Hit, b: Hit) => number {
  const signed = spaces.map(({ reader }) => reader.items.mayBeSigned())
  const isSigned = ({ at, doc }: Hit) => Number(signed[at]!.has(doc))
  const rank = ({ at, doc }: Hit) => spaces[at]!.reader.items.idRanks()[doc]!
  return (a, b) =>
    isSigned(b) - isSigned(a) || a.tier - b.tier || b.score - a.score || a.at - b.at || rank(a) - rank(b)
}
