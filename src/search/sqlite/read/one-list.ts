// Reads the list of one term, chunk by chunk. It is long in some chunks and short in others.
import { chunkOf, keyOf, keyRange } from '../chunks.ts'
import { findShortList, rowOf, slotOf } from '../short-lists.ts'
import type { Statements } from '../statements.ts'

const LONG_HEADS = 'SELECT key, heads FROM posting WHERE key BETWEEN ? AND ? ORDER BY key'
const LONG = 'SELECT key, heads, places FROM posting WHERE key BETWEEN ? AND ? ORDER BY key'
const SHORT = 'SELECT key, lists FROM short_posting WHERE key BETWEEN ? AND ? ORDER BY key'

export interface HeadRow {
  readonly key: number
  readonly heads: Uint8Array
}

export interface PlaceRow extends HeadRow {
  readonly places: Uint8Array
}

export function readHeads(statements: Statements, term: number): readonly HeadRow[] {
  return merge(statements.all<HeadRow>(LONG_HEADS, ...keyRange(term)), readShort(statements, term))
}

export function readPlaces(statements: Statements, term: number): readonly PlaceRow[] {
  return merge(statements.all<PlaceRow>(LONG, ...keyRange(term)), readShort(statements, term))
}

function readShort(statements: Statements, term: number): PlaceRow[] {
  const rows = statements.all<{ key: number; lists: Uint8Array }>(SHORT, ...keyRange(rowOf(term)))
  return rows.flatMap(({ key, lists }) => {
    const list = findShortList(lists, slotOf(term))
    return list ? [{ key: keyOf(term, chunkOf(key)), ...list }] : []
  })
}

function merge<Row extends HeadRow>(long: readonly Row[], short: readonly Row[]): readonly Row[] {
  if (short.length === 0) return long
  return long.length === 0 ? short : [...long, ...short].sort((a, b) => a.key - b.key)
}
