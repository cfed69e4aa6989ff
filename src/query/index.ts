export { parseMoment } from './date.ts'
export { type FieldQueries, readFields, SEARCH_FIELDS, type SearchField } from './fields.ts'
export {
  type Filter,
  type FilterRequest,
  type FilterSubject,
  type Filters,
  type FilterTest,
  matchesFilters,
  readFilters,
} from './filters.ts'
export { hasOperator, parseQuery, QUERY_LIMITS } from './parse-query.ts'
export { printQuery } from './print-query.ts'
export { type ReadQuery, readQuery } from './read-query.ts'
export { matchesScope, parseScope, type Scope } from './scope.ts'
export { readFuzzy, readProximity } from './tolerance.ts'
export type { Query, Span } from './types.ts'
export { matchesWildcard } from './wildcard.ts'
