// All words of a space, to match patterns against. The letters of each word are kept as bits, which exclude
// nearly all words before any comparison: 300 000 words take about a millisecond.
import { editDistance, matchesStars } from '../../base/index.ts'
import { popCount } from './bits.ts'
import { TopHits } from './top-hits.ts'

/**
 * How many words of a space a pattern may stand for. If there are more, only the closest count, and the
 * answer says so. Several patterns of one query share `several`, so that a query of a hundred patterns does
 * not take a hundred times as long.
 */
export const EXPANSION_CAP = { wildcard: 1000, fuzzy: 250, several: 500 } as const

const MOST_NEAR = 8

export interface LexiconEntry {
  readonly term: number
  readonly word: string
}

export class Lexicon {
  readonly #words: string[] = []
  readonly #terms: number[] = []
  #letters = new Int32Array(1024)

  add(word: string, term: number): void {
    const index = this.#words.push(word) - 1
    this.#terms.push(term)
    if (index >= this.#letters.length) {
      const larger = new Int32Array(this.#letters.length * 2)
      larger.set(this.#letters)
      this.#letters = larger
    }
    this.#letters[index] = lettersOf(word)
  }

  /** The shortest words that match a pattern with `*`, shortest first. */
  wildcard(pattern: string, most: number): LexiconEntry[] {
    const needed = lettersOf(pattern.replaceAll('*', ''))
    const best = new TopHits<LexiconEntry>(most, byLengthThenText)
    for (let index = 0; index < this.#words.length; index++) {
      if ((needed & ~this.#letters[index]!) !== 0) continue
      const word = this.#words[index]!
      if (matchesStars(pattern, word)) best.offer({ term: this.#terms[index]!, word })
    }
    return best.sorted()
  }

  /** The nearest words within an edit distance, nearest first. */
  fuzzy(word: string, distance: number, most: number): LexiconEntry[] {
    const letters = lettersOf(word)
    const best = new TopHits<LexiconEntry & { readonly distance: number }>(
      most,
      (a, b) => a.distance - b.distance || byLengthThenText(a, b),
    )
    let limit = distance
    for (let index = 0; index < this.#words.length; index++) {
      const other = this.#letters[index]!
      // An edit adds or removes at most one letter.
      if (popCount(letters & ~other) > limit || popCount(other & ~letters) > limit) continue
      const candidate = this.#words[index]!
      const edits = editDistance(word, candidate, limit)
      if (edits > limit) continue
      best.offer({ term: this.#terms[index]!, word: candidate, distance: edits })
      // Once there are enough, a word must be as near as the worst one kept.
      limit = best.worst?.distance ?? distance
    }
    return best.sorted()
  }

  /** Words that a misspelled word may stand for, nearest first. */
  near(word: string): LexiconEntry[] {
    return this.fuzzy(word, Math.max(1, Math.min(2, Math.floor(word.length / 3))), MOST_NEAR)
  }
}

export function byLengthThenText(a: { readonly word: string }, b: { readonly word: string }): number {
  return a.word.length - b.word.length || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0)
}

function lettersOf(word: string): number {
  let bits = 0
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31)
  return bits
}
