// The words of one term of a query.
import { visitTokens } from '../text/tokenize.ts'

export interface TermWords {
  /** As written, in order: `read-file` has two. */
  readonly words: readonly string[]
  /** Of camelCase words. */
  readonly parts: readonly string[]
}

export function splitTerm(text: string): TermWords {
  const words: string[] = []
  const parts: string[] = []
  visitTokens(text, (token, _position, kind) => {
    if (kind === 'word') words.push(token)
    else if (kind === 'part') parts.push(token)
  })
  return { words, parts }
}
