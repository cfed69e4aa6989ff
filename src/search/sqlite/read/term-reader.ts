// The words of a space: which terms a pattern accepts, and which words are near another.
import { matchesStars } from '../../../base/index.ts'
import type { Pattern } from '../../match/compiled-query.ts'
import { byLengthThenText, type LexiconEntry } from '../../match/lexicon.ts'
import type { Expansion } from '../../match/match-leaf.ts'
import { stem } from '../../text/porter.ts'
import type { Statements } from '../statements.ts'
import { stemOf } from '../term-stem.ts'
import type { LexiconLoader } from './lexicon-loader.ts'

/** Patterns whose words are kept for the next search. */
const CACHED_PATTERNS = 10_000

const TERM = 'SELECT id AS term, text AS word FROM term'

export class TermReader {
  readonly #statements: Statements
  readonly #lexicon: LexiconLoader
  readonly #expansions = new Map<string, Expansion>()
  readonly #words = new Map<number, string>()

  constructor(statements: Statements, lexicon: LexiconLoader) {
    this.#statements = statements
    this.#lexicon = lexicon
  }

  expand(pattern: Pattern): Expansion {
    const key = patternKey(pattern)
    const known = this.#expansions.get(key)
    if (known) return known
    const entries = this.#entriesOf(pattern)
    // `#entriesOf` returns one more than the pattern allows when there are more.
    const kept = 'most' in pattern ? entries.slice(0, pattern.most) : entries
    for (const { term, word } of kept) this.#words.set(term, word)
    const expansion = { terms: kept.map(entry => entry.term), capped: kept.length < entries.length }
    if (this.#expansions.size >= CACHED_PATTERNS) this.#expansions.clear()
    this.#expansions.set(key, expansion)
    return expansion
  }

  /** The word of a term that `expand` returned. */
  wordOf(term: number): string {
    return this.#words.get(term) ?? ''
  }

  /** Words within a few edits, nearest first. */
  near(word: string): readonly LexiconEntry[] {
    return this.#lexicon.load().near(word)
  }

  #entriesOf(pattern: Pattern): readonly LexiconEntry[] {
    switch (pattern.kind) {
      case 'word':
        return this.#statements.all<LexiconEntry>(`${TERM} WHERE text = ?`, pattern.word)
      case 'stem':
        return this.#withStem(stem(pattern.word))
      case 'wildcard':
        return this.#wildcard(pattern.pattern, pattern.most + 1)
      case 'fuzzy':
        return this.#lexicon.load().fuzzy(pattern.word, pattern.distance, pattern.most + 1)
    }
  }

  /**
   * A word that is its own stem has no stem stored. Sorted, because ids depend on when a word was first
   * indexed, and answers must not.
   */
  #withStem(root: string): readonly LexiconEntry[] {
    const others = this.#statements.all<LexiconEntry>(`${TERM} WHERE stem = ?`, root)
    const own = this.#statements.all<LexiconEntry>(`${TERM} WHERE text = ?`, root)
    return [...others, ...own.filter(({ word }) => stemOf(word) === word)].sort(byLengthThenText)
  }

  /** A pattern that begins with letters is a range of the sorted words; any other needs all words. */
  #wildcard(pattern: string, most: number): readonly LexiconEntry[] {
    const prefix = pattern.slice(0, pattern.indexOf('*'))
    if (prefix === '') return this.#lexicon.load().wildcard(pattern, most)
    // In one row: making an object for each word takes longer than finding it.
    const [row] = this.#statements.all<{ terms: string | null; words: string }>(
      `SELECT group_concat(id) AS terms, group_concat(text, char(10)) AS words
       FROM (SELECT id, text FROM term WHERE text >= ? AND text < ?)`,
      prefix,
      `${prefix}\u{10ffff}`,
    )
    if (!row?.terms) return []
    const terms = row.terms.split(',')
    return row.words
      .split('\n')
      .map((word, index) => ({ term: Number(terms[index]), word }))
      .filter(({ word }) => matchesStars(pattern, word))
      .sort(byLengthThenText)
  }
}

/** Unlike `printPattern`, it distinguishes patterns that allow more words or more edits. */
function patternKey(pattern: Pattern): string {
  if (pattern.kind === 'wildcard') return `wildcard ${pattern.most} ${pattern.pattern}`
  return pattern.kind === 'fuzzy'
    ? `fuzzy ${pattern.most} ${pattern.distance} ${pattern.word}`
    : `${pattern.kind} ${pattern.word}`
}
