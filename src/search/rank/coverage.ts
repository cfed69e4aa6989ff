// How much of a question a document covers. A document with all words is worth more than one that has a
// single word often. But only names, titles, descriptions and the like say what an item is for: a long body
// has the words of many questions.
import { SEARCH_FIELDS, type SearchField } from '../../query/index.ts'
import { leafShares, type ScoredLeaf } from './score.ts'

/** How much of a score depends on coverage. */
const WEIGHT = 0.3
/** How much a word counts that is only in other fields. */
const ELSEWHERE = 0.2

const SAYING: readonly SearchField[] = ['title', 'name', 'description', 'category', 'tags', 'keywords']
const SAYING_MASK = SAYING.reduce((mask, field) => mask | (1 << SEARCH_FIELDS.indexOf(field)), 0)

interface CoveringLeaf extends Pick<ScoredLeaf, 'docs' | 'holders' | 'times'> {
  /** The fields of each document that have it, as bits. */
  readonly masks: Uint8Array
}

/** For each document of a space, fills in the share of its score that it keeps, by how much it covers. */
export function fillCoverage(
  covered: Float32Array,
  leaves: readonly CoveringLeaf[],
  documents: number,
): void {
  const { shares, bound } = leafShares(leaves, documents)
  covered.fill(1 - WEIGHT)
  leaves.forEach(({ docs, masks }, index) => {
    const share = (WEIGHT * shares[index]!) / bound
    const less = share * ELSEWHERE
    for (let at = 0; at < docs.length; at++)
      covered[docs[at]!]! += (masks[at]! & SAYING_MASK) !== 0 ? share : less
  })
}

/** Lowers each score by what its document does not cover, then multiplies all of them by `words`. */
export function lowerByCoverage(scores: Float32Array, covered: Float32Array, words: number): void {
  for (let doc = 0; doc < scores.length; doc++) scores[doc]! *= covered[doc]! * words
}
