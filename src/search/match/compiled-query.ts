// The query as the engine understands it: leaves that say which words stand where, and clauses that combine them.
import type { SearchField } from '../../query/index.ts'

/** Which words of the dictionary a slot accepts. */
export type Pattern =
  | { readonly kind: 'word'; readonly word: string }
  /** The word itself, or any word of the same stem. */
  | { readonly kind: 'stem'; readonly word: string }
  | { readonly kind: 'wildcard'; readonly pattern: string; readonly most: number }
  | { readonly kind: 'fuzzy'; readonly word: string; readonly distance: number; readonly most: number }

/** One slot is a word; several are words one after another, or, with `near`, in any order close together. */
export interface Leaf {
  readonly slots: readonly Pattern[]
  /** The most words that may stand between neighbours. */
  readonly near?: number
  /** Only words of this field count. */
  readonly field?: SearchField
}

/** A leaf stands as its number in `EngineQuery.leaves`. */
export type Clause =
  | { readonly kind: 'all' }
  | { readonly kind: 'leaf'; readonly leaf: number }
  | { readonly kind: 'and' | 'or'; readonly children: readonly Clause[] }
  | { readonly kind: 'not'; readonly child: Clause }

/** One way to read a query: what every full match has, what a partial one has at least, and what counts for the score. */
export interface Reading {
  readonly all: Clause
  readonly any?: Clause
  readonly scored: Emphasis
}

/** The leaves that speak for an item, and how often the query says each. */
export type Emphasis = ReadonlyMap<number, number>

/** Readings from strict to loose; the first that finds anything is the answer. */
export interface EngineQuery {
  readonly leaves: readonly Leaf[]
  /** What every match fulfils, however it is found: by its words, its name or its meaning. */
  readonly only: Clause
  readonly readings: readonly Reading[]
}
