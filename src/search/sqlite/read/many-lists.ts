// The lists of many words at once: a pattern may stand for a thousand of them, and most are a few bytes long. SQLite joins those into one
// row, because each row that becomes an object takes longer than finding and reading its list.
import { keyRange } from '../chunks.ts'
import type { Statements } from '../statements.ts'

/** Called with the key of each list and its heads, in no order that means anything. */
export type VisitList = (key: number, heads: Uint8Array) => void

/** Bytes of a list from which on it is a row of its own. */
const LONG = 512

const [FIRST, LAST] = keyRange(0)
const IN_RANGES = `FROM json_each(?) AS wanted CROSS JOIN posting
  WHERE posting.key BETWEEN wanted.value AND wanted.value + ${LAST - FIRST}`
const AT_KEYS = 'FROM json_each(?) AS wanted CROSS JOIN posting WHERE posting.key = wanted.value'

/** All lists of these terms. */
export function visitLists(statements: Statements, terms: readonly number[], visit: VisitList): void {
  visitFound(statements, IN_RANGES, { values: terms.map(term => keyRange(term)[0]), visit })
}

/** The lists of those keys that there are. */
export function visitListsAt(statements: Statements, keys: readonly number[], visit: VisitList): void {
  visitFound(statements, AT_KEYS, { values: keys, visit })
}

function visitFound(
  statements: Statements,
  found: string,
  { values, visit }: { readonly values: readonly number[]; readonly visit: VisitList },
): void {
  const json = JSON.stringify(values)
  const [joined] = statements.all<{ keys: string | null; sizes: string; heads: string }>(
    `SELECT group_concat(posting.key) AS keys, group_concat(length(heads)) AS sizes,
      group_concat(hex(heads), '') AS heads ${found} AND length(heads) < ${LONG}`,
    json,
  )
  if (joined?.keys) {
    const sizes = joined.sizes.split(',')
    const heads = Buffer.from(joined.heads, 'hex')
    let end = 0
    joined.keys.split(',').forEach((key, index) => {
      const start = end
      end += Number(sizes[index])
      visit(Number(key), heads.subarray(start, end))
    })
  }
  const long = `SELECT posting.key AS key, heads ${found} AND length(heads) >= ${LONG}`
  for (const { key, heads } of statements.all<{ key: number; heads: Uint8Array }>(long, json))
    visit(key, heads)
}
