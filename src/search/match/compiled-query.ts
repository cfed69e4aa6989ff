// A compiled query: leaves that say which words occur together, and clauses that combine leaves.
import type { SearchField } from '../../query/index.ts'

/** Which words of the dictionary a slot accepts. `most` limits how many. */
export type Pattern =
  | { readonly kind: 'word'; readonly word: string }
  /** The word itself, or any word of the same stem. */
  | { readonly kind: 'stem'; readonly word: string }
  | { readonly kind: 'wildcard'; readonly pattern: string; readonly most: number }
  | { readonly kind: 'fuzzy'; readonly word: string; readonly distance: number; readonly most: number }

/**
 * A single slot is a word; several are consecutive words or, with `near`, words close together in any order.
 */
export interface Leaf {
  readonly slots: readonly Pattern[]
  /** How many words may be between neighbours. */
  readonly near?: number
  /** Only words of this field count. */
  readonly field?: SearchField
  /** Synonyms, each as slots in order: documents that have one match as well. */
  readonly also?: readonly (readonly Pattern[])[]
}

/** A leaf is given by its index in `CompiledQuery.leaves`. */
export type Clause =
  | { readonly kind: 'all' }
  | { readonly kind: 'leaf'; readonly leaf: number }
  | { readonly kind: 'and' | 'or'; readonly children: readonly Clause[] }
  | { readonly kind: 'not'; readonly child: Clause }

/** One way to read a query. */
export interface Reading {
  /** What a full match satisfies. */
  readonly all: Clause
  /** What a partial match satisfies; undefined when only full matches count. */
  readonly any?: Clause
  readonly scored: LeafCounts
  /** For a question of several sentences: the sentences that have each leaf, as bits. */
  readonly sentences?: ReadonlyMap<number, number>
}

/** The leaves that count for the score, and how often the query has each. */
export type LeafCounts = ReadonlyMap<number, number>

export interface CompiledQuery {
  readonly leaves: readonly Leaf[]
  /** What every match satisfies, whether found by words, name or meaning. */
  readonly only: Clause
  /** From strict to loose; the first that finds anything is the answer. */
  readonly readings: readonly Reading[]
}
