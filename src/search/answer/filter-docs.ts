// Filters over many documents. Thousands of items share a few values, so each distinct value of a field is
// tested once, against all filters of the field.
import { type Filter, type Filters, matchesFilters } from '../../query/index.ts'
import type { StoredColumns } from './stored-space.ts'

/** The documents that pass, in order. */
export function filterDocs(items: StoredColumns, docs: Uint32Array, filters: Filters): Uint32Array {
  let left = docs
  if (filters.dateFrom !== undefined || filters.dateTo !== undefined) {
    const dates = items.dates()
    const range: Filters = { ...filters, filters: [] }
    left = left.filter(doc => matchesFilters(range, { get: () => undefined, date: dates[doc] }))
  }
  if (left.length === 0 || filters.filters.length === 0) return left
  const byField = groupByField(filters.filters)
  const columns = items.values([...byField.keys()])
  for (const [field, asked] of byField) {
    const values = columns.get(field)!
    const passes = cachedTest(asked)
    // If no document has a value, one test answers for all of them.
    if (values.length > 0) left = left.filter(doc => passes(values[doc] ?? ''))
    else if (!passes('')) return new Uint32Array()
  }
  return left
}

export function keepSigned(signed: ReadonlySet<number>, docs: Uint32Array): Uint32Array {
  return docs.filter(doc => signed.has(doc))
}

function groupByField(filters: readonly Filter[]): Map<string, Filter[]> {
  const groups = new Map<string, Filter[]>()
  for (const filter of filters) {
    const group = groups.get(filter.field)
    if (group) group.push(filter)
    else groups.set(filter.field, [filter])
  }
  return groups
}

/** Tests values as JSON, each once; an empty text is no value. */
function cachedTest(filters: readonly Filter[]): (json: string) => boolean {
  const known = new Map<string, boolean>()
  const asked: Filters = { filters, dateFrom: undefined, dateTo: undefined }
  return json => {
    const remembered = known.get(json)
    if (remembered !== undefined) return remembered
    const value: unknown = json === '' ? undefined : JSON.parse(json)
    const passes = matchesFilters(asked, { get: () => value, date: undefined })
    known.set(json, passes)
    return passes
  }
}
