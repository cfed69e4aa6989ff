// Filters over many documents. Thousands of items share a few values: the values of a field are read at once, and each value
// is judged once.
import { type Filter, type Filters, matchesFilters } from '../../query/index.ts'
import type { ItemColumns } from './item-columns.ts'

/** The documents that pass, in order. */
export function filterDocs(items: ItemColumns, docs: Uint32Array, filters: Filters): Uint32Array {
  let left = docs
  if (filters.dateFrom !== undefined || filters.dateTo !== undefined) {
    const dates = items.ownDates()
    const range: Filters = { ...filters, filters: [] }
    left = left.filter(doc => matchesFilters(range, { get: () => undefined, date: dates[doc] }))
  }
  for (const filter of filters.filters) {
    const values = items.values(filter.field)
    const passes = rememberingTest(filter)
    left = left.filter(doc => passes(values[doc] ?? ''))
  }
  return left
}

/** A test of values as JSON; an empty text is no value. */
function rememberingTest(filter: Filter): (json: string) => boolean {
  const known = new Map<string, boolean>()
  const single: Filters = { filters: [filter], dateFrom: undefined, dateTo: undefined }
  return json => {
    const remembered = known.get(json)
    if (remembered !== undefined) return remembered
    const value: unknown = json === '' ? undefined : JSON.parse(json)
    const passes = matchesFilters(single, { get: () => value, date: undefined })
    known.set(json, passes)
    return passes
  }
}
