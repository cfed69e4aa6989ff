// What a caller typed, as a query. Questions contain anything: brackets, quotes, apostrophes, pages of text. Text that does not
// parse and has five words or more is read as plain words, with a warning; shorter text is a syntax error to correct.
import { AppError } from '../base/index.ts'
import { readPlainWords, type Token } from './lexer.ts'
import { parseQuery, QUERY_LIMITS } from './parse-query.ts'
import type { Query } from './types.ts'

const QUESTION_WORDS = 5

export interface ReadQuery {
  readonly query: Query
  /** Why the text was read as plain words, and what was left out. */
  readonly warning?: string
}

/** Reads a query as `parseQuery` does, or as plain words with a warning; throws `QUERY_SYNTAX` when it is too short for that. */
export function readQuery(text: string): ReadQuery {
  try {
    return { query: parseQuery(text) }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'QUERY_SYNTAX') throw thrown
    const { words, cut } = readQuestion(text)
    // Operators do not count: `a AND (b OR c` is a query with a mistake, not a question.
    if (words.filter(word => word.kind === 'word').length < QUESTION_WORDS) throw thrown
    const reading = cut ? `the first ${words.length} words are searched for` : 'its words are searched for'
    return { query: joinWords(words), warning: `the query does not parse, so ${reading}: ${thrown.message}` }
  }
}

function readQuestion(text: string): { words: Token[]; cut: boolean } {
  const start = text.slice(0, QUERY_LIMITS.characters)
  const isShortened = start.length < text.length
  const found = readPlainWords(start)
  // A word that reaches the cut may be half a word.
  if (isShortened && found.at(-1)?.span.end === start.length) found.pop()
  return { words: found.slice(0, QUERY_LIMITS.terms), cut: isShortened || found.length > QUERY_LIMITS.terms }
}

function joinWords(words: readonly Token[]): Query {
  const children = words.map(({ text, span }): Query => ({ kind: 'term', text, span }))
  return { kind: 'words', children, span: { start: words[0]!.span.start, end: words.at(-1)!.span.end } }
}
