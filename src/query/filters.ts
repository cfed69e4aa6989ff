// The filters of a search: conditions on an item's metadata. They are read once from the request, then
// applied to every candidate. All filters must hold. Of a list, one entry is enough; of `{all: [...]}`, every
// entry must hold.
import { AppError, describeType, isRecord, quoteText } from '../base/index.ts'
import { bareCategory, compareVersions, parseVersion, type Version } from '../item/index.ts'
import { readAllOf } from './all-of.ts'
import { type Moment, parseMoment } from './date.ts'
import { type Extremes, FilterValue } from './filter-value.ts'

export type FilterTest =
  /** Equal, ignoring case. */
  | { readonly op: '='; readonly value: string }
  | { readonly op: '!'; readonly value: string }
  | { readonly op: Comparison; readonly bound: Bound }
  | { readonly op: 'any'; readonly tests: readonly FilterTest[] }

type Comparison = '>=' | '<=' | '>' | '<'
type Bound = { readonly version: Version } | { readonly moment: Moment }

export interface Filter {
  readonly field: string
  readonly test: FilterTest
}

export interface Filters {
  readonly filters: readonly Filter[]
  /** Bounds of an item's date, inclusive, in milliseconds since 1970; undefined for no bound. */
  readonly dateFrom: number | undefined
  readonly dateTo: number | undefined
}

/** The filter parts of a request, not yet checked. */
export interface FilterRequest {
  readonly filters?: unknown
  readonly category?: unknown
  readonly tags?: unknown
  readonly date_from?: unknown
  readonly date_to?: unknown
}

/** What filters read from an item. */
export interface FilterSubject {
  /** The metadata value of that name, or undefined. Names come from a caller: look up own keys only. */
  readonly get: (field: string) => unknown
  /** Milliseconds since 1970. */
  readonly date: number | undefined
}

const MAX_ENTRIES = 100
/** The limit for all filters together, since each value may be compared with every item. */
const MAX_VALUES = 100
const COMPARISONS: readonly Comparison[] = ['>=', '<=', '>', '<']

/** Reads the filters of a request, or throws `INVALID_INPUT` naming the part that is wrong. */
export function readFilters(request: FilterRequest): Filters {
  const { date_from: innerFrom, date_to: innerTo, ...others } = readRecord(request.filters)
  const filters: Filter[] = []
  for (const [field, value] of Object.entries(others))
    for (const entry of readEntries(field, value)) filters.push({ field, test: readTest(field, entry) })
  if (filters.length > MAX_ENTRIES)
    throw invalid('filters', `expected at most ${MAX_ENTRIES} filters, got ${filters.length}`)
  const values = filters.reduce((sum, { test }) => sum + (test.op === 'any' ? test.tests.length : 1), 0)
  if (values > MAX_VALUES)
    throw invalid('filters', `expected at most ${MAX_VALUES} values in all lists together, got ${values}`)
  for (const field of ['category', 'tags'] as const) {
    const value = request[field]
    if (isPresent(value)) filters.push({ field, test: readTest(field, value) })
  }
  const from = readDates('date_from', [request.date_from, innerFrom]).map(({ first }) => first)
  const to = readDates('date_to', [request.date_to, innerTo]).map(({ last }) => last)
  const dateFrom = from.length > 0 ? Math.max(...from) : undefined
  const dateTo = to.length > 0 ? Math.min(...to) : undefined
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo) {
    throw invalid('date_from', 'expected a date no later than `date_to`')
  }
  return { filters, dateFrom, dateTo }
}

/** Whether an item passes. An item without a date is outside every range of dates. */
export function matchesFilters(filters: Filters, subject: FilterSubject): boolean {
  const { dateFrom, dateTo } = filters
  if (dateFrom !== undefined && !(subject.date !== undefined && subject.date >= dateFrom)) return false
  if (dateTo !== undefined && !(subject.date !== undefined && subject.date <= dateTo)) return false
  const values = new Map<string, FilterValue>()
  return filters.filters.every(({ field, test }) => {
    const value = values.get(field) ?? new FilterValue(subject.get(field))
    values.set(field, value)
    return passes(test, value)
  })
}

function readRecord(value: unknown): Record<string, unknown> {
  if (!isPresent(value)) return {}
  if (!isRecord(value))
    throw invalid('filters', `expected an object with a value for each field, got ${describeType(value)}`)
  return value
}

/** The conditions on one field: the entries of `{all: [...]}`, or the value itself. */
function readEntries(field: string, value: unknown): readonly unknown[] {
  const entries = readAllOf(value)
  if (entries) checkCount(field, entries)
  return entries ?? [value]
}

function readTest(field: string, value: unknown): FilterTest {
  if (typeof value === 'string') return readTextTest(field, value.trim())
  if (typeof value === 'number' || typeof value === 'boolean') return { op: '=', value: String(value) }
  if (!Array.isArray(value)) {
    throw invalid(
      field,
      `expected text, a number, true, false or a list of these, got ${describeType(value)}`,
    )
  }
  checkCount(field, value)
  if (value.some(Array.isArray))
    throw invalid(field, 'expected a list of plain values, got a list inside a list')
  return { op: 'any', tests: value.map(entry => readTest(field, entry)) }
}

function checkCount(field: string, entries: readonly unknown[]): void {
  if (entries.length === 0 || entries.length > MAX_ENTRIES)
    throw invalid(field, `expected a list of 1 to ${MAX_ENTRIES} values, got ${entries.length}`)
}

function readTextTest(field: string, text: string): FilterTest {
  if (text.startsWith('!')) {
    const value = text.slice(text.startsWith('!=') ? 2 : 1).trim()
    if (value === '') throw invalid(field, 'expected a value after `!`')
    return { op: '!', value: (field === 'category' ? bareCategory(value) : value).toLowerCase() }
  }
  const op = COMPARISONS.find(candidate => text.startsWith(candidate))
  if (op === undefined) return field === 'category' ? readFolder(text) : equals(text)
  const bound = readBound(text.slice(op.length))
  if (bound === undefined) {
    throw invalid(
      field,
      `expected a version or a date after \`${op}\`, got ${quoteText(text.slice(op.length))}`,
    )
  }
  return { op, bound }
}

/** A category is a folder, so it may be written with a trailing slash, as in a shell. */
function readFolder(text: string): FilterTest {
  const bare = bareCategory(text)
  return bare === text ? equals(text) : { op: 'any', tests: [equals(bare), equals(text)] }
}

function equals(text: string): FilterTest {
  return { op: '=', value: text.toLowerCase() }
}

function readBound(text: string): Bound | undefined {
  const moment = parseMoment(text)
  if (moment !== undefined) return { moment }
  const version = parseVersion(text)
  return version && { version }
}

/** All dates given for one bound: in its own parameter, and among the filters. */
function readDates(name: string, values: readonly unknown[]): Moment[] {
  const dates = values.flatMap(value => readEntries(name, value)).filter(isPresent)
  return dates.map(value => readDate(name, value))
}

function readDate(name: string, value: unknown): Moment {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined
  if (moment !== undefined) return moment
  const got = typeof value === 'string' ? quoteText(value) : describeType(value)
  throw invalid(name, `expected a date such as \`2024-12-31\` or \`2024-12-31T18:00:00Z\`, got ${got}`)
}

function passes(test: FilterTest, value: FilterValue): boolean {
  if (test.op === 'any') return test.tests.some(entry => passes(entry, value))
  // A missing value is not equal to anything, so `!` holds.
  if (test.op === '!') return !value.has(test.value)
  if (test.op === '=') return value.has(test.value)
  const { op, bound } = test
  if ('version' in bound)
    return isWithin(value.versions(), op, entry => compareVersions(entry, bound.version))
  return isWithin(value.moments(), op, entry => orderOfMoment(entry, bound.moment))
}

/**
 * Whether any entry satisfies the comparison. The value `latest` is no version, so it never satisfies
 * `>=1.0`.
 */
function isWithin<T>(entries: Extremes<T> | undefined, op: Comparison, order: (entry: T) => number): boolean {
  if (entries === undefined) return false
  if (op === '>=') return order(entries.greatest) >= 0
  if (op === '<=') return order(entries.least) <= 0
  return op === '>' ? order(entries.greatest) > 0 : order(entries.least) < 0
}

function orderOfMoment(moment: Moment, bound: Moment): number {
  if (moment.first < bound.first) return -1
  return moment.first > bound.last ? 1 : 0
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function invalid(part: string, problem: string): AppError {
  return new AppError('INVALID_INPUT', `invalid ${quoteText(part)}: ${problem}`)
}
