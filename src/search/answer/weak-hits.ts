// Decides which hits are left out of the answer to a question, because they do not fit. A score is a share of
// what the question could score, so it says little about whether an item fits: a long question scores low.
// What counts here is *evidence*. For words, it is the score in units of one word that a single item has; for
// meaning, how much nearer an item is than the nearest would be by chance. The bounds were measured:
// docs/decisions/0027-silence-when-nothing-fits.md.

import { chanceCosine } from '../rank/cosine.ts'
import { type Hit, TIER } from './hit.ts'

/**
 * When no top hit has this much evidence, and the best one has less than this share of the question, only the
 * best is shown.
 */
const MIN_EVIDENCE = { ofWords: 0.28, ofBoth: 0.35 }
const MIN_COVERED = 0.4
/**
 * A question worth this many rare words tells a story, and may name its subject in words that no item has. It
 * never counts as unanswered.
 */
const LONG = 4.5
/**
 * Among thousands of items, some have any one word of a question by chance. So the words of the best hit must
 * together be as rare as a word that a single item has, or its meaning must be near. This holds fully from
 * 1000 items on, and not at all up to 200.
 */
const LARGE = { from: 200, to: 1000 }
/** A hit with less evidence than this, and less than this share of the best score, is left out. */
const WEAK_EVIDENCE = 0.18
const WEAK_SHARE = 0.18

/** How much a cosine counts as evidence, and as words that are covered. */
const NEARNESS = { evidence: 1.5, covered: 3 }

/**
 * When the first hit of a brief answer has all words of a question, a hit with less than this share of the
 * best score is left out. That holds even if it has all words: it has them somewhere in a long text. The
 * first three are judged by the other bounds alone. A single word is not a question, and all items that have
 * it are shown.
 */
const CLEAR_SHARE = 0.6
const CLEAR_KEPT = 3
/** The shares of all words may not add up to exactly one. */
const WHOLE = 0.9999

/** With fewer items than this nothing is left out: so few can all be looked at. */
const FEW = 30

/** How one of the best hits fits the question. */
export interface JudgedHit {
  readonly score: number
  /** The share of the question that its words make up, by rarity. */
  readonly covered: number
  /** The cosine of its meaning with the question's; undefined when meaning does not count. */
  readonly cosine: number | undefined
  /** It lacks words, and is not named by the question. */
  readonly isPartial: boolean
}

export interface Question {
  readonly words: number
  /** The sum of the rarities of its words. */
  readonly bound: number
  /** How much meaning counts besides its words; 0 when it does not. */
  readonly share: number
  /** The rarity of a word that a single item has. */
  readonly rarest: number
  readonly documents: number
}

/** The scores below which hits are left out; 0 for none. */
export interface WeakBelow {
  /** For hits with only some of the words; infinite when only the best is shown. */
  readonly partial: number
  /** For all hits after the first `CLEAR_KEPT`. */
  readonly clear: number
}

export const NOTHING_WEAK: WeakBelow = { partial: 0, clear: 0 }

/** `best` are the first hits, in their order; at least one. */
export function weakBelow(question: Question, best: readonly JudgedHit[]): WeakBelow {
  if (question.documents < FEW) return NOTHING_WEAK
  const first = best[0]!
  if (first.isPartial && first.covered < MIN_COVERED && isUnanswered(question, best))
    return { partial: Number.POSITIVE_INFINITY, clear: 0 }
  const unit = question.rarest / (question.bound + question.share)
  const highest = Math.max(...best.map(hit => hit.score))
  const isClear = question.words > 1 && first.covered >= WHOLE
  return {
    partial: Math.min(WEAK_EVIDENCE * unit, WEAK_SHARE * highest),
    clear: isClear ? CLEAR_SHARE * highest : 0,
  }
}

/** Whether none of the best hits has enough of the question. */
function isUnanswered({ bound, share, rarest, documents }: Question, best: readonly JudgedHit[]): boolean {
  if (bound / rarest >= LONG) return false
  const size = Math.log(documents / LARGE.from) / Math.log(LARGE.to / LARGE.from)
  const needed = Math.min(1, Math.max(0, size))
  const chance = chanceCosine(documents)
  const nearness = ({ cosine }: JudgedHit) => (cosine === undefined ? 0 : cosine - chance)
  const ofWords = ({ score, cosine = 0 }: JudgedHit) =>
    (score * (bound + share) - share * Math.max(0, cosine)) / rarest
  const evidence = best.map(hit => ofWords(hit) + NEARNESS.evidence * nearness(hit))
  const covered = best.map(hit => (hit.covered * bound) / rarest + NEARNESS.covered * nearness(hit))
  const least = share > 0 ? MIN_EVIDENCE.ofBoth : MIN_EVIDENCE.ofWords
  return Math.max(...evidence) < least || Math.max(...covered) < needed
}

/** The score below which a hit at this rank is weak. A named hit never is. */
export function boundOf(
  { tier, isPartial }: Pick<Hit, 'tier' | 'isPartial'>,
  rank: number,
  { partial, clear }: WeakBelow,
): number {
  if (tier < TIER.found) return 0
  return Math.max(isPartial ? partial : 0, rank < CLEAR_KEPT ? 0 : clear)
}
