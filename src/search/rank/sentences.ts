// A question of several sentences asks for several things: `show the solar radiation here. Then estimate the
// energy that we need`. An item that answers one of them is worth more than one that has a word of each.
import { addScores, leafShares, type ScoredLeaf } from './score.ts'

/**
 * The part of a score that comes from the sentence that an item fits best; the rest comes from the whole
 * question.
 */
const BEST = 0.5

interface SentenceLeaf extends ScoredLeaf {
  /** The sentences that have it, as bits. */
  readonly sentences: number
}

/** Like `scoreDocuments`, for several sentences. `spare` is scratch memory, as long as `scores`. */
export function scoreSentences(
  scores: Float32Array,
  leaves: readonly SentenceLeaf[],
  { documents, spare }: { readonly documents: number; readonly spare: Float32Array },
): number {
  const { shares, bound } = leafShares(leaves, documents)
  const every = leaves.reduce((bits, leaf) => bits | leaf.sentences, 0)
  scores.fill(0)
  for (let bit = 1; bit <= every; bit <<= 1) {
    spare.fill(0)
    leaves.forEach((leaf, at) => {
      if ((leaf.sentences & bit) !== 0) addScores(spare, leaf, (BEST * shares[at]!) / bound)
    })
    for (let doc = 0; doc < scores.length; doc++) if (spare[doc]! > scores[doc]!) scores[doc] = spare[doc]!
  }
  leaves.forEach((leaf, at) => {
    addScores(scores, leaf, ((1 - BEST) * shares[at]!) / bound)
  })
  return bound
}
