// The words of a space, for patterns. A word's letters as bits rule out nearly all of them before any is compared:
// 300 000 words take about a millisecond.
import { editDistance } from '../base/index.ts'
import { matchesWildcard } from '../query/index.ts'
import { popCount } from './doc-set.ts'

/**
 * How many words of a space a pattern accepts at most, the closest ones; whoever asks is told. All patterns of one query share
 * what one may have: a question of a hundred patterns must not take a hundred times as long.
 */
export const EXPANSION_CAP = { wildcard: 1000, fuzzy: 250, query: 1000 } as const

export interface LexiconEntry {
  readonly term: number
  readonly word: string
}

export class Lexicon {
  readonly #words: string[] = []
  readonly #terms: number[] = []
  #letters = new Uint32Array(1024)

  get size(): number {
    return this.#words.length
  }

  add(word: string, term: number): void {
    const index = this.#words.push(word) - 1
    this.#terms.push(term)
    if (index >= this.#letters.length) {
      const larger = new Uint32Array(this.#letters.length * 2)
      larger.set(this.#letters)
      this.#letters = larger
    }
    this.#letters[index] = lettersOf(word)
  }

  /** Words that fit a pattern with `*`, shortest first. */
  wildcard(pattern: string): LexiconEntry[] {
    const needed = lettersOf(pattern.replaceAll('*', ''))
    const found: LexiconEntry[] = []
    for (let index = 0; index < this.#words.length; index++) {
      if ((needed & ~this.#letters[index]!) !== 0) continue
      const word = this.#words[index]!
      if (matchesWildcard(pattern, word)) found.push({ term: this.#terms[index]!, word })
    }
    return found.sort(byLengthThenText)
  }

  /** Words within an edit distance, nearest first. */
  fuzzy(word: string, distance: number): (LexiconEntry & { readonly distance: number })[] {
    const letters = lettersOf(word)
    const found: (LexiconEntry & { readonly distance: number })[] = []
    for (let index = 0; index < this.#words.length; index++) {
      const other = this.#letters[index]!
      // An edit brings in or takes away at most one letter.
      if (popCount(letters & ~other) > distance || popCount(other & ~letters) > distance) continue
      const candidate = this.#words[index]!
      const edits = editDistance(word, candidate, distance)
      if (edits <= distance) found.push({ term: this.#terms[index]!, word: candidate, distance: edits })
    }
    return found.sort((a, b) => a.distance - b.distance || byLengthThenText(a, b))
  }
}

export function byLengthThenText(a: { readonly word: string }, b: { readonly word: string }): number {
  return a.word.length - b.word.length || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0)
}

function lettersOf(word: string): number {
  let bits = 0
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31)
  return bits >>> 0
}
