// Splits query text into tokens. Whitespace, control characters and lone surrogates separate words.
// Punctuation on its own is dropped, since words consist of letters and digits: `a - b` is `a b`. A colon is
// an ordinary character.
import { hasLetterOrDigit, lazy } from '../base/index.ts'
import { queryError } from './query-error.ts'
import type { Span } from './types.ts'

export type TokenKind = 'word' | 'phrase' | 'open' | 'close' | 'and' | 'or' | 'not' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** For a phrase: without its quotes, and with single spaces as separators. */
  readonly text: string
  readonly span: Span
}

// Both patterns match in linear time: no two alternatives can start with the same character.
const PIECE = /[()]|"[^"]*"?|[^\s()"\p{Cc}\p{Cs}]+/gu
const plainPiece = lazy(() => /[^\s()"*\p{Cc}\p{Cs}]+/gu)

const separators = lazy(() => /[\s\p{Cc}\p{Cs}]+/gu)

const SIGNS: ReadonlyMap<string, TokenKind> = new Map([
  ['(', 'open'],
  [')', 'close'],
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
])

/** The tokens of a query, the last of kind `end`. Throws `QUERY_SYNTAX` for a phrase that is not closed. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: piece, index: start } of text.matchAll(PIECE)) {
    const span = { start, end: start + piece.length }
    const sign = SIGNS.get(piece)
    if (sign !== undefined) tokens.push({ kind: sign, text: piece, span })
    else if (piece.startsWith('"')) {
      const phrase = readPhrase(piece, start)
      if (hasLetterOrDigit(phrase)) tokens.push({ kind: 'phrase', text: phrase, span })
    } else if (hasLetterOrDigit(piece) || piece.includes('*')) {
      tokens.push({ kind: 'word', text: piece, span })
    }
  }
  tokens.push({ kind: 'end', text: '', span: { start: text.length, end: text.length } })
  return tokens
}

/**
 * The words of a text, ignoring groups, phrases and wildcards. An operator keeps its kind, but its text
 * becomes a word: `and`.
 */
export function readPlainWords(text: string): Token[] {
  const words: Token[] = []
  for (const { 0: piece, index: start } of text.matchAll(plainPiece())) {
    if (!hasLetterOrDigit(piece)) continue
    const sign = SIGNS.get(piece)
    const span = { start, end: start + piece.length }
    words.push(sign ? { kind: sign, text: piece.toLowerCase(), span } : { kind: 'word', text: piece, span })
  }
  return words
}

function readPhrase(piece: string, start: number): string {
  if (piece.length === 1 || !piece.endsWith('"')) {
    throw queryError({
      offset: start + piece.length,
      expected: '`"`',
      purpose: `to close the phrase opened at offset ${start}`,
      got: 'the end of the query',
    })
  }
  return piece.slice(1, -1).replace(separators(), ' ').trim()
}
