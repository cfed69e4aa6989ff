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

/** In a brief answer, behind an item that has all words of a question, a hit with less than this share of its score is left out, all
 * words or not: it has them somewhere in a long text. The first three are judged by the other bounds alone. One word alone is no question, and all that have it are shown. */
const CLEAR_SHARE = 0.6
export const CLEAR_KEPT = 3
/** The shares of all words may not add up to exactly one. */
const WHOLE = 0.9999

/** Of fewer items nothing is left out: whoever asks so few sees them all. */
const FEW = 30

/** What the best hits have of the question. */
export interface BestHits {
  /** The highest score. */
  readonly score: number
  /** The highest share of the question that the words of a hit are, by rarity. */
  readonly covered: number
  /** The same, of the first hit. */
  readonly coveredByFirst: number
  /** It is named by the question, or has all words. */
  readonly isAnswer: boolean
}

export interface Question {
  readonly words: number
  /** The sum of the rarities of its words. */
  readonly bound: number
  /** The rarity of a word that a single item has. */
  readonly rarest: number
  readonly documents: number
}

/** The scores below which hits are left out; 0 for none. */
export interface WeakBelow {
  /** Of hits with some of the words: infinite when only the best is shown. */
  readonly partial: number
  /** Of all hits behind the first `CLEAR_KEPT`. */
  readonly clear: number
}

export const NOTHING_WEAK: WeakBelow = { partial: 0, clear: 0 }

export function weakBelow(question: Question, best: BestHits): WeakBelow {
  if (question.documents < FEW) return NOTHING_WEAK
  const unit = question.rarest / question.bound
  if (!best.isAnswer && best.coveredByFirst < MIN_COVERED) {
    const size = Math.log(question.documents / LARGE.from) / Math.log(LARGE.to / LARGE.from)
    const needed = Math.min(1, Math.max(0, size))
    if (best.score < MIN_EVIDENCE * unit || best.covered < needed * unit)
      return { partial: Number.POSITIVE_INFINITY, clear: 0 }
  }
  const isClear = question.words > 1 && best.coveredByFirst >= WHOLE
  return {
    partial: Math.min(WEAK_EVIDENCE * unit, WEAK_SHARE * best.score),
    clear: isClear ? CLEAR_SHARE * best.score : 0,
  }
}
