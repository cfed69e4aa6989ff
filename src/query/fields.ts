// The fields of an item that can be searched, and the `fields` part of a request: separate queries for some
// fields.
import { AppError, describeType, isRecord, nearest, quoteText } from '../base/index.ts'
import { readAllOf } from './all-of.ts'
import { parseQuery } from './parse-query.ts'
import { printQuery } from './print-query.ts'
import type { Query } from './types.ts'

export const SEARCH_FIELDS = [
  'title',
  'name',
  'description',
  'category',
  'content',
  'parameters',
  'tags',
  'keywords',
] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]

export type FieldQueries = ReadonlyMap<SearchField, Query>

/**
 * Reads `{field: query text}`, or `{field: {all: [query text, ...]}}`; nothing given means no field queries.
 * Throws `INVALID_INPUT` or `QUERY_SYNTAX`.
 */
export function readFields(value: unknown): FieldQueries {
  const queries = new Map<SearchField, Query>()
  if (value === undefined || value === null) return queries
  if (!isRecord(value))
    throw new AppError('INVALID_INPUT', 'expected `fields` to be an object with a query for each field')
  for (const [field, given] of Object.entries(value)) {
    if (!isSearchField(field)) throw unknownField(field)
    const all = (readAllOf(given) ?? [given]).map(text => readText(field, text))
    queries.set(field, joinAll(field, all))
  }
  return queries
}

function readText(field: SearchField, text: unknown): Query {
  if (typeof text === 'string') return parseFieldQuery(field, text)
  throw new AppError(
    'INVALID_INPUT',
    `expected the query of field \`${field}\` to be text, got ${describeType(text)}`,
  )
}

/**
 * Prints the queries as one text and parses it again, so that the limits of a query apply to all of them
 * together.
 */
function joinAll(field: SearchField, queries: readonly Query[]): Query {
  const first = queries[0]!
  if (queries.length === 1) return first
  return parseFieldQuery(field, printQuery({ kind: 'and', children: queries, span: first.span }))
}

function isSearchField(field: string): field is SearchField {
  return (SEARCH_FIELDS as readonly string[]).includes(field)
}

function unknownField(field: string): AppError {
  const close = nearest(field, SEARCH_FIELDS)[0]
  return new AppError(
    'INVALID_INPUT',
    `unknown search field ${quoteText(field)}: expected one of ${SEARCH_FIELDS.join(', ')}`,
    { ...(close && { hint: `did you mean \`${close}\`?` }) },
  )
}

function parseFieldQuery(field: SearchField, text: string): Query {
  try {
    return parseQuery(text)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AppError(thrown.code, `field \`${field}\`: ${thrown.message}`, {
      ...(thrown.hint && { hint: thrown.hint }),
      details: { ...thrown.details, field },
    })
  }
}
