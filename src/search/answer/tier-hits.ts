// The documents of a tier as hits: the best of them, those after a page that may be signed, and how many
// there are.
import type { DocSet } from '../match/doc-set.ts'
import { TopHits } from '../match/top-hits.ts'
import { roundScore } from '../rank/score.ts'
import { type Collapsed, countDocs, type SignedDocs, type TierDocs } from './collapse-copies.ts'
import { compareHits, type Hit, scoreFloor, TIER } from './hit.ts'
import type { SearchRequest, SignedHits } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'
import { boundOf, NOTHING_WEAK, type WeakBelow } from './weak-hits.ts'

/**
 * The most hits that are added to a page because they may be signed, since anyone can write what looks like a
 * signature.
 */
const MAX_SIGNED = 1000

export function offerTier(
  top: TopHits<Hit>,
  { at, tier, isPartial, docs, scores }: TierDocs,
  sortBy: SearchRequest['sortBy'],
): void {
  const isByScore = sortBy === 'score'
  let floor = isByScore ? scoreFloor(tier, top.worst) : Number.NEGATIVE_INFINITY
  for (let index = 0; index < docs.length; index++) {
    const doc = docs[index]!
    // Most documents stop here, before an object is made for them.
    if (scores[doc]! < floor) continue
    top.offer({ at, doc, tier, isPartial, score: shownScore(tier, scores[doc]!) })
    if (isByScore) floor = scoreFloor(tier, top.worst)
  }
}

/** How much a match of another type than the one asked for counts. */
export const OTHER_TYPE = 0.25

export function lower(scores: Float32Array, docs: Uint32Array, asked: DocSet): void {
  for (const doc of docs) if (!asked.has(doc)) scores[doc]! *= OTHER_TYPE
}

interface SignedAfter {
  /** The last hit of the page. */
  readonly last: Hit | undefined
  readonly wanted: SignedHits
  readonly weak: WeakBelow
  readonly sortBy: SearchRequest['sortBy']
  readonly signed: SignedDocs
}

/** Hits after a page that may be verified, best first. */
export function signedHitsAfter(
  spaces: readonly OpenSpace[],
  tiers: readonly TierDocs[],
  { last, wanted, weak, sortBy, signed }: SignedAfter,
): Hit[] {
  if (last === undefined) return []
  const compare = compareHits(spaces, sortBy)
  const top = new TopHits(MAX_SIGNED, compare)
  for (const group of tiers) {
    const { at, tier, isPartial, docs, scores } = group
    if (wanted !== 'all' && tier !== last.tier) continue
    const bound = boundOf(group, Number.POSITIVE_INFINITY, weak)
    const least = Math.max(wanted === 'all' ? 0 : wanted.least, bound)
    const mayBeVerified = signed(at)
    for (const doc of docs) {
      // Most documents stop here, before an object is made for them.
      if (!mayBeVerified.has(doc)) continue
      const hit = { at, doc, tier, isPartial, score: shownScore(tier, scores[doc]!) }
      if (hit.score >= least && compare(hit, last) > 0) top.offer(hit)
    }
  }
  return top.sorted()
}

interface NarrowedPage extends Pick<SearchRequest, 'offset' | 'limit' | 'sortBy'> {
  readonly signed: SignedDocs
}

/** The page of a narrowed answer, from which weak hits are gone already. */
export function listNarrowed(
  spaces: readonly OpenSpace[],
  { tiers, membersOf }: Collapsed,
  { weaker }: { readonly weaker: number },
  { offset, limit, sortBy, signed }: NarrowedPage,
) {
  const top = new TopHits(offset + limit, compareHits(spaces, sortBy))
  for (const group of tiers) offerTier(top, group, sortBy)
  const hits = top.sorted().slice(offset)
  const signedAfter = (wanted: SignedHits) =>
    signedHitsAfter(spaces, tiers, { last: hits.at(-1), wanted, weak: NOTHING_WEAK, sortBy, signed })
  return { hits, membersOf, signedAfter, total: countDocs(tiers) + weaker, weaker }
}

/** How many documents are left out as weak, whatever their rank. */
export function countWeak(tiers: readonly TierDocs[], weak: WeakBelow): number {
  let count = 0
  for (const group of tiers) {
    const { docs, scores } = group
    const bound = boundOf(group, Number.POSITIVE_INFINITY, weak)
    if (bound === 0) continue
    for (let index = 0; index < docs.length; index++) if (roundScore(scores[docs[index]!]!) < bound) count++
  }
  return count
}

/** Named items have the highest score, whatever their words. */
function shownScore(tier: number, score: number): number {
  return tier < TIER.found ? 1 : roundScore(score)
}
