// The words of one term of a query.
import { visitTokens } from '../text/tokenize.ts'

export interface TermWords {
  /** As written, in order: `read-file` has two. */
  readonly words: readonly string[]
  /** Of camelCase words. */
  readonly parts: readonly string[]
  /** Two characters each of scripts without spaces. */
  readonly pairs: readonly string[]
  /** Words that are in no pair. */
  readonly alone: readonly string[]
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
  // The position of a word is its place among them.
  return { words, parts, pairs, alone: words.filter((_, at) => !paired.has(at)) }
}
