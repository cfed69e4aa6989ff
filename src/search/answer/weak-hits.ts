// Hits that are left out of an answer to a question, because nothing fits. Scores are shares of what the question could score, so
// they say little about whether an item fits: a long question scores low. What counts here is *evidence*: the score in units
// of one word that a single item has. The bounds were measured: docs/decisions/0027-silence-when-nothing-fits.md.

/** Below this much evidence for the best hit, and this share of the question, the best hit is all that is shown. */
const MIN_EVIDENCE = 0.35
const MIN_COVERED = 0.4
/** Among thousands of items some have any one word of a question by chance: the words of the best must together be as rare as one
 * that a single item has. This holds fully from 1000 items on, and not at all up to 200. */
const LARGE = { from: 200, to: 1000 }
/** A hit with less evidence than this, and less than this share of the best score, is left out. */
const WEAK_EVIDENCE = 0.3
const WEAK_SHARE = 0.25

/** Of fewer items nothing is left out: whoever asks so few sees them all. */
const FEW = 30

/** What the best hits, which have only some of the words, have of the question. */
export interface BestHits {
  /** The highest score. */
  readonly score: number
  /** The highest share of the question that the words of a hit are, by rarity. */
  readonly covered: number
  /** The same, of the first hit. */
  readonly coveredByFirst: number
}

export interface Question {
  /** The sum of the rarities of its words. */
  readonly bound: number
  /** The rarity of a word that a single item has. */
  readonly rarest: number
  readonly documents: number
}

/** The score below which partial hits are left out; infinite when only the best is shown. */
export function weakBelow(question: Question, best: BestHits): number {
  if (question.documents < FEW) return 0
  const unit = question.rarest / question.bound
  if (best.coveredByFirst < MIN_COVERED) {
    const size = Math.log(question.documents / LARGE.from) / Math.log(LARGE.to / LARGE.from)
    const needed = Math.min(1, Math.max(0, size))
    if (best.score < MIN_EVIDENCE * unit || best.covered < needed * unit) return Number.POSITIVE_INFINITY
  }
  return Math.min(WEAK_EVIDENCE * unit, WEAK_SHARE * best.score)
}
