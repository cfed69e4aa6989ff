// The words of one term of a query.
import { visitTokens } from '../text/tokenize.ts'

export interface TermWords {
  /** The words as written, in order: `read-file` has two. */
  readonly words: readonly string[]
  /** The parts of camelCase words. */
  readonly parts: readonly string[]
  /** Pairs of neighbouring characters in scripts without spaces. */
  readonly pairs: readonly string[]
  /** Words that are in no pair. */
  readonly alone: readonly string[]
}

/** The most pairs of characters that a query looks for: a page of text without spaces is one term. */
const MAX_PAIRS = 128

/** Splits each term of a query once, however many readings use it. */
export class TermSplitter {
  readonly #known = new Map<string, TermWords>()
  #pairsLeft = MAX_PAIRS

  split(text: string): TermWords {
    const known = this.#known.get(text)
    if (known) return known
    const split = splitTerm(text)
    const words = { ...split, pairs: split.pairs.slice(0, this.#pairsLeft) }
    this.#pairsLeft -= words.pairs.length
    this.#known.set(text, words)
    return words
  }
}

export function splitTerm(text: string): TermWords {
  const words: string[] = []
  const parts: string[] = []
  const pairs: string[] = []
  const paired = new Set<number>()
  visitTokens(text, (token, position, kind) => {
    if (kind === 'word') words.push(token)
    else if (kind === 'part') parts.push(token)
    else if (kind === 'pair') {
      pairs.push(token)
      paired.add(position).add(position + 1)
    }
  })
  // The position of a word is its index among the words.
  return { words, parts, pairs, alone: words.filter((_, at) => !paired.has(at)) }
}
