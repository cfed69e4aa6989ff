// Reads what a caller typed as a query. Questions contain anything: brackets, quotes, apostrophes, words in
// capitals, pages of text. Text that does not parse and has five words or more is read as plain words, with a
// warning. So is a sentence in which AND, OR or NOT is a word. Code or JSON with quotes in it is read as
// plain words too, without a warning if it has no operators.
// Shorter text that does not parse is a syntax error to correct.
import { AppError } from '../base/index.ts'
import { readPlainWords, readTokens, type Token } from './lexer.ts'
import { hasOperator, parseQuery, QUERY_LIMITS, readOperands } from './parse-query.ts'
import { isProse, quotesCode } from './prose.ts'
import type { Query } from './types.ts'

const QUESTION_WORDS = 5

export interface ReadQuery {
  readonly query: Query
  /** Why the text was read as plain words, and what was left out. */
  readonly warning?: string
}

const AS_WORDS =
  'read as a question, with AND, OR and NOT as ordinary words; as operators they join single words or "phrases"'

/**
 * Reads a query as `parseQuery` does, or as plain words with a warning; throws `QUERY_SYNTAX` when it is too
 * short for that.
 */
export function readQuery(text: string): ReadQuery {
  try {
    const query = parseQuery(text)
    if (!hasOperator(query)) return { query: quotesCode(text) ? joinWords(readQuestion(text).words) : query }
    const tokens = readTokens(text)
    if (!isProse(text, tokens)) return { query }
    const operands = quotesCode(text) ? readQuestion(text).words.map(termOf) : readOperands(tokens)
    return { query: joinParts(operands), warning: AS_WORDS }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'QUERY_SYNTAX') throw thrown
    const { words, cut } = readQuestion(text)
    // Operators do not count: `a AND (b OR c` is a query with a mistake, not a question.
    if (countWords(words.filter(word => word.kind === 'word')) < QUESTION_WORDS) throw thrown
    const reading = cut ? `the first ${words.length} words are searched for` : 'its words are searched for'
    return { query: joinWords(words), warning: `the query does not parse, so ${reading}: ${thrown.message}` }
  }
}

function readQuestion(text: string): { words: Token[]; cut: boolean } {
  const start = text.slice(0, QUERY_LIMITS.characters)
  const isShortened = start.length < text.length
  const found = readPlainWords(start)
  // A word that touches the cut may be half a word, unless its script has no spaces.
  if (isShortened && found.at(-1)?.span.end === start.length && !UNSPACED.test(start.slice(-1))) found.pop()
  return { words: found.slice(0, QUERY_LIMITS.terms), cut: isShortened || found.length > QUERY_LIMITS.terms }
}

/** Characters of scripts without spaces: Thai, Lao, Burmese, Khmer, kana, Han. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/
const EVERY_UNSPACED = new RegExp(UNSPACED, 'g')
const CHARACTERS_PER_WORD = 1.5

/** Counts words. In a script without spaces, counts about as many as a reader would. */
function countWords(words: readonly Token[]): number {
  return words.reduce((sum, { text }) => {
    const unspaced = text.match(EVERY_UNSPACED)?.length ?? 0
    return sum + Math.max(1, Math.round(unspaced / CHARACTERS_PER_WORD))
  }, 0)
}

function joinWords(words: readonly Token[]): Query {
  return joinParts(words.map(termOf))
}

function termOf({ text, span }: Token): Query {
  return { kind: 'term', text, span }
}

function joinParts(children: readonly Query[]): Query {
  return { kind: 'words', children, span: { start: children[0]!.span.start, end: children.at(-1)!.span.end } }
}
