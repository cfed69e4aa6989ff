// Reads the lists of many words at once: a pattern may stand for a thousand of them. Most lists are short,
// and those of neighbouring terms share a row.
import { chunkOf, keyOf, keyRange, termOf } from '../chunks.ts'
import { rowOf, termAt, visitShortLists } from '../short-lists.ts'
import type { Statements } from '../statements.ts'

/** Called with the key of each list and its heads, in no particular order. */
export type VisitList = (key: number, heads: Uint8Array) => void

const [FIRST, LAST] = keyRange(0)
const IN_RANGES = `BETWEEN wanted.value AND wanted.value + ${LAST - FIRST}`
const AT_KEYS = '= wanted.value'

/** All lists of these terms. */
export function visitLists(statements: Statements, terms: readonly number[], visit: VisitList): void {
  const first = (number: number) => keyRange(number)[0]
  const wanted = new Set(terms)
  visitLong(statements, IN_RANGES, terms.map(first), visit)
  const rows = [...new Set(terms.map(rowOf))].map(first)
  visitShort(statements, IN_RANGES, rows, (key, heads) => {
    if (wanted.has(termOf(key))) visit(key, heads)
  })
}

/** The lists of those keys that have one. */
export function visitListsAt(statements: Statements, keys: readonly number[], visit: VisitList): void {
  const wanted = new Set(keys)
  visitLong(statements, AT_KEYS, keys, visit)
  const rows = new Set(keys.map(key => keyOf(rowOf(termOf(key)), chunkOf(key))))
  visitShort(statements, AT_KEYS, [...rows], (key, heads) => {
    if (wanted.has(key)) visit(key, heads)
  })
}

function visitLong(
  statements: Statements,
  condition: string,
  values: readonly number[],
  visit: VisitList,
): void {
  const sql = `SELECT posting.key AS key, heads FROM json_each(?) AS wanted CROSS JOIN posting WHERE posting.key ${condition}`
  const rows = statements.all<{ key: number; heads: Uint8Array }>(sql, JSON.stringify(values))
  for (const { key, heads } of rows) visit(key, heads)
}

function visitShort(
  statements: Statements,
  condition: string,
  values: readonly number[],
  visit: VisitList,
): void {
  const sql = `SELECT posting.key AS key, lists FROM json_each(?) AS wanted CROSS JOIN short_posting AS posting
    WHERE posting.key ${condition}`
  const rows = statements.all<{ key: number; lists: Uint8Array }>(sql, JSON.stringify(values))
  for (const { key, lists } of rows) {
    const row = termOf(key)
    visitShortLists(lists, (slot, { heads }) => visit(keyOf(termAt(row, slot), chunkOf(key)), heads))
  }
}
