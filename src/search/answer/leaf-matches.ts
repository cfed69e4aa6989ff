// What each leaf of a query matches in each space. A leaf is matched when it is first needed: readings that
// are never tried cost nothing.
import { evaluateClause } from '../match/clauses.ts'
import type { Clause, Leaf, Pattern } from '../match/compiled-query.ts'
import { DocSet } from '../match/doc-set.ts'
import { matchLeaf } from '../match/match-leaf.ts'
import type { Postings } from '../match/postings/postings.ts'
import { stem } from '../text/porter.ts'
import type { CollectionStatistics, OpenSpace } from './stored-space.ts'

export interface LeafMatch {
  /** The postings in each space. */
  readonly postings: readonly Postings[]
  readonly sets: readonly DocSet[]
  /** How many documents match, in all spaces together. */
  readonly holders: number
}

export class LeafMatches {
  readonly #spaces: readonly OpenSpace[]
  readonly #leaves: readonly Leaf[]
  readonly #found: LeafMatch[] = []

  constructor(spaces: readonly OpenSpace[], leaves: readonly Leaf[]) {
    this.#spaces = spaces
    this.#leaves = leaves
  }

  of(leaf: number): LeafMatch {
    const known = this.#found[leaf]
    if (known) return known
    const postings = this.#spaces.map(({ reader }) => matchLeaf(reader, this.#leaves[leaf]!))
    const sets = postings.map(({ docs }, at) => DocSet.of(this.#spaces[at]!.reader.capacity, docs))
    const holders = postings.reduce(
      (sum, { docs }, at) => sum + holdersIn(this.#spaces[at]!, this.#leaves[leaf]!, docs.length),
      0,
    )
    const match = { postings, sets, holders }
    this.#found[leaf] = match
    return match
  }

  /** The documents of a clause in one space; the set may be changed. */
  evaluate(clause: Clause, at: number): DocSet {
    const all = this.#spaces[at]!.reader.docsOfType(0)
    return evaluateClause(clause, leaf => this.of(leaf).sets[at]!, all)
  }
}

/**
 * How many documents of the whole collection match, if the space is only a part of it. For words in order
 * that is not known, so the count of the part is used.
 */
function holdersIn({ statistics }: OpenSpace, { slots, also = [] }: Leaf, found: number): number {
  if (!statistics) return found
  const counts = [slots, ...also].map(words => (words.length === 1 ? countOf(words[0]!, statistics) : 0))
  return Math.max(
    found,
    counts.reduce((sum, count) => sum + count, 0),
  )
}

function countOf(pattern: Pattern, { holders }: CollectionStatistics): number {
  return 'word' in pattern ? (holders.get(stem(pattern.word)) ?? 0) : 0
}
