// Parses tokens into a tree by recursive descent. From loosest to tightest: OR, AND, adjacency, NOT. A list
// with one element becomes that element, and groups are kept: `a AND (b AND c)` is not flattened, so that
// printing and parsing give the same tree.
// The limits bound every later walk: a tree is never deeper than four nodes for each level of `depth`.
import { type AppError, hasLetterOrDigit, quoteText } from '../base/index.ts'
import { readTokens, type Token, type TokenKind } from './lexer.ts'
import { queryError } from './query-error.ts'
import type { Query } from './types.ts'

export const QUERY_LIMITS = {
  /** UTF-16 units of query text. */
  characters: 4096,
  /** Words, counting each word of a phrase. */
  terms: 128,
  /** Nested groups and NOTs. */
  depth: 16,
} as const

const OPERAND = 'a word, a phrase or a group'

/**
 * Reads a query, or throws `QUERY_SYNTAX` with `details: {offset, expected}`. Blank text and `*` mean
 * everything.
 */
export function parseQuery(text: string): Query {
  if (text.length > QUERY_LIMITS.characters) {
    throw queryError({
      offset: QUERY_LIMITS.characters,
      expected: `at most ${QUERY_LIMITS.characters} characters`,
      got: `${text.length} characters`,
    })
  }
  if (text.trim() === '') return { kind: 'all', span: { start: 0, end: text.length } }
  const tokens = readTokens(text)
  checkTermCount(tokens)
  const cursor = { tokens, index: 0 }
  const query = parseOr(cursor, 0)
  const rest = current(cursor)
  if (rest.kind !== 'end') throw unexpected(rest, 'an operator, a word or the end of the query')
  return query
}

/** Whether AND, OR or NOT occurs. Such a query is exact, and its adjacent words are joined by AND. */
export function hasOperator(query: Query): boolean {
  if (query.kind === 'and' || query.kind === 'or' || query.kind === 'not') return true
  return query.kind === 'words' && query.children.some(hasOperator)
}

/** Only the words, phrases and wildcards, with the operators as words: `and`. */
export function readOperands(tokens: readonly Token[]): Query[] {
  return tokens.flatMap((token): Query[] => {
    const { kind, text, span } = token
    if (kind === 'word') return [readWord(token)]
    if (kind === 'phrase') return [{ kind, text, span }]
    return kind === 'and' || kind === 'or' || kind === 'not'
      ? [{ kind: 'term', text: text.toLowerCase(), span }]
      : []
  })
}

interface Cursor {
  readonly tokens: readonly Token[]
  index: number
}

function parseOr(cursor: Cursor, depth: number): Query {
  return parseList(cursor, { kind: 'or', parsePart: () => parseAnd(cursor, depth) })
}

function parseAnd(cursor: Cursor, depth: number): Query {
  return parseList(cursor, { kind: 'and', parsePart: () => parseAdjacent(cursor, depth) })
}

function parseList(cursor: Cursor, list: { kind: 'and' | 'or'; parsePart: () => Query }): Query {
  const children = [list.parsePart()]
  while (current(cursor).kind === list.kind) {
    cursor.index++
    children.push(list.parsePart())
  }
  return join(list.kind, children)
}

const BEGINS_OPERAND: ReadonlySet<TokenKind> = new Set(['word', 'phrase', 'open', 'not'])

function parseAdjacent(cursor: Cursor, depth: number): Query {
  const children = [parseNot(cursor, depth)]
  while (BEGINS_OPERAND.has(current(cursor).kind)) children.push(parseNot(cursor, depth))
  return join('words', children)
}

function parseNot(cursor: Cursor, depth: number): Query {
  const token = current(cursor)
  if (token.kind !== 'not') return parseOperand(cursor, depth)
  checkDepth(token, depth)
  cursor.index++
  const child = parseNot(cursor, depth + 1)
  return { kind: 'not', child, span: { start: token.span.start, end: child.span.end } }
}

function parseOperand(cursor: Cursor, depth: number): Query {
  const token = current(cursor)
  if (token.kind === 'open') return parseGroup(cursor, depth)
  if (token.kind !== 'word' && token.kind !== 'phrase') throw unexpected(token, OPERAND)
  cursor.index++
  return token.kind === 'phrase' ? { kind: 'phrase', text: token.text, span: token.span } : readWord(token)
}

function parseGroup(cursor: Cursor, depth: number): Query {
  const open = current(cursor)
  checkDepth(open, depth)
  cursor.index++
  const query = parseOr(cursor, depth + 1)
  const close = current(cursor)
  if (close.kind !== 'close')
    throw unexpected(close, '`)`', `to close the group opened at offset ${open.span.start}`)
  cursor.index++
  return query
}

function readWord(token: Token): Query {
  const { text, span } = token
  if (!text.includes('*')) return { kind: 'term', text, span }
  // `*`, `***` and `*.*` all mean everything: words consist of letters and digits, so these exclude nothing.
  if (!hasLetterOrDigit(text)) return { kind: 'all', span }
  return { kind: 'wildcard', pattern: text.replace(/\*+/g, '*'), span }
}

function join(kind: 'and' | 'or' | 'words', children: readonly Query[]): Query {
  const first = children[0]!
  if (children.length === 1) return first
  return { kind, children, span: { start: first.span.start, end: children.at(-1)!.span.end } }
}

function current(cursor: Cursor): Token {
  return cursor.tokens[cursor.index]!
}

function unexpected(token: Token, expected: string, purpose?: string): AppError {
  const got = token.kind === 'end' ? 'the end of the query' : quoteText(token.text)
  return queryError({ offset: token.span.start, expected, got, ...(purpose && { purpose }) })
}

function checkDepth(token: Token, depth: number): void {
  if (depth >= QUERY_LIMITS.depth)
    throw unexpected(token, `at most ${QUERY_LIMITS.depth} nested groups and NOTs`)
}

function checkTermCount(tokens: readonly Token[]): void {
  let count = 0
  for (const token of tokens) {
    if (token.kind === 'word') count++
    else if (token.kind === 'phrase') count += token.text.split(' ').length
    if (count > QUERY_LIMITS.terms) throw unexpected(token, `at most ${QUERY_LIMITS.terms} words`)
  }
}
