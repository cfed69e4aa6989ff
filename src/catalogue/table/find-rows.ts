// Finds rows that may match a query, by words and by meaning, and the rows of one item. How well they match
// is decided by our own ranking.
import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Vector } from 'apache-arrow'
import { type OpenLance, quoteSql } from '../../lance/index.ts'
import type { Scope } from '../../query/index.ts'
import { CANDIDATE_COLUMNS, type Candidate, MAX_ENTRY, readCandidate } from '../row.ts'
import { isOfThisFormat } from './columns.ts'
import type { RowCache } from './row-cache.ts'

export interface CandidateQuestion {
  /** As `askedWords` returns them. */
  readonly stems: readonly string[]
  readonly names: readonly string[]
  readonly vector: Float32Array | undefined
  readonly scope: Scope
}

export interface FoundRows {
  readonly rows: readonly Candidate[]
  /** How many other rows were found whose format, from another version of rye, cannot be read here. */
  readonly outdated: number
}

export interface ItemName {
  readonly type?: string | undefined
  readonly id: string
}

/**
 * Reading each row costs a request to storage. Reading twice as many improves nDCG by less than a thousandth.
 */
const BY_WORDS = 50
const BY_MEANING = 30
/** Partitions of the vector index that are searched. */
const PROBES = 20
/** Bytes of one column over all rows of one query. Nothing else is answered while they are decoded. */
const MOST_DECODED = 32_000_000
/** The most roots that may have the same id. */
const MOST_ROOTS = 64

/** First asks only which rows match: the contents of most are known from an earlier query. */
export async function findCandidates(
  { lance }: OpenLance,
  table: Table,
  question: CandidateQuestion,
  cache: RowCache,
): Promise<FoundRows> {
  const { stems, names, vector, scope } = question
  const filter = printScope(scope)
  const words = [...stems, ...names].join(' ')
  const queries: (Query | VectorQuery)[] = []
  if (words !== '') {
    const match = new lance.MatchQuery(words, 'words')
    queries.push(table.query().fullTextSearch(match).select(['_score']).limit(BY_WORDS))
  }
  if (vector) {
    const near = table.vectorSearch(vector).distanceType('dot').nprobes(PROBES)
    queries.push(near.select(['_distance']).limit(BY_MEANING))
  }
  // A query without words, such as `*`.
  if (stems.length === 0 && !vector) queries.push(table.query().select(['type']).limit(BY_WORDS))
  const found = await Promise.all(
    queries.map(async query =>
      readPlaces(await (filter === '' ? query : query.where(filter)).withRowId().toArrow()),
    ),
  )
  const { rows, unread } = await readRows(table, found.flat(), cache)
  return { rows: [...new Set(rows)], outdated: await countOutdated(table, unread) }
}

/** Asked only when some rows cannot be read. They may also be nonsense. */
async function countOutdated(table: Table, places: readonly bigint[]): Promise<number> {
  if (places.length === 0) return 0
  const rows = await table
    .takeRowIds([...places])
    .select(['made'])
    .toArrow()
  return rowsOf(rows).filter(({ made }) => !isOfThisFormat(made)).length
}

function readPlaces(found: ArrowTable): bigint[] {
  const places = found.getChild('_rowid')
  return Array.from({ length: found.numRows }, (_, row) => BigInt(places?.get(row)))
}

/**
 * Reads column by column: a row that Arrow returns looks up each value again. Skips values larger than our
 * sync ever writes, and the largest ones when all together exceed the limit of a query: anybody can put rows
 * beside ours.
 */
function rowsOf(table: ArrowTable): Record<string, unknown>[] {
  const rows = Array.from({ length: table.numRows }, (): Record<string, unknown> => ({}))
  for (const { name } of table.schema.fields) {
    const column = table.getChild(name)
    const sizes = sizesOf(column, rows.length)
    let left = MOST_DECODED
    for (const row of [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]!)) {
      left -= sizes[row]!
      if (sizes[row]! > MAX_ENTRY || left < 0) break
      rows[row]![name] = column?.get(row)
    }
  }
  return rows
}

/** Bytes of each value of a column, without decoding it; 0 for numbers. */
function sizesOf(column: Vector | null, rows: number): number[] {
  const sizes = (column?.data ?? []).flatMap(({ valueOffsets, length }) =>
    Array.from({ length }, (_, at) => (valueOffsets ? Number(valueOffsets[at + 1]! - valueOffsets[at]!) : 0)),
  )
  return sizes.length === rows ? sizes : Array.from({ length: rows }, () => 0)
}

/** A row that a sync has moved in the meantime is missing from the result. */
async function readRows(
  table: Table,
  places: readonly bigint[],
  cache: RowCache,
): Promise<{ readonly rows: readonly Candidate[]; readonly unread: readonly bigint[] }> {
  const known = new Map(places.map(place => [place, cache.get(place)]))
  const missing = [...known.keys()].filter(place => !known.get(place))
  const unread: bigint[] = []
  if (missing.length > 0) {
    const rows = await table.takeRowIds(missing).select(CANDIDATE_COLUMNS).withRowId().toArrow()
    for (const row of rowsOf(rows)) {
      const place = BigInt(row._rowid as bigint)
      const candidate = readCandidate(row)
      if (!candidate) {
        unread.push(place)
        continue
      }
      cache.put(place, candidate)
      known.set(place, candidate)
    }
  }
  return { rows: places.flatMap(place => known.get(place) ?? []), unread }
}

export async function findItemRows(table: Table, { type, id }: ItemName): Promise<FoundRows> {
  const ofType = type === undefined ? '' : ` AND type = ${quoteSql(type)}`
  const found = await table
    .query()
    .select([...CANDIDATE_COLUMNS, 'made'])
    .where(`id = ${quoteSql(id)}${ofType}`)
    .limit(MOST_ROOTS)
    .toArrow()
  const read = rowsOf(found).map(row => ({ row: readCandidate(row), made: row.made }))
  const rows = read.flatMap(({ row }) => (row?.id === id ? [row] : []))
  const outdated = read.filter(({ row, made }) => !row && !isOfThisFormat(made)).length
  return { rows: rows.sort(byRoot), outdated }
}

/** Signed ones first, then by the name of the root, then by digest: the order on disk may change. */
export function byRoot(a: Candidate, b: Candidate): number {
  return (
    Number(a.signer === '') - Number(b.signer === '') ||
    compareText(a.root, b.root) ||
    compareText(a.digest, b.digest)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function printScope({ type, namespace, self }: Scope): string {
  const below = `id LIKE ${quoteSql(`${namespace.replace(/[\\%_]/g, '\\$&')}/%`)}`
  return [
    ...(type === 'all' ? [] : [`type = ${quoteSql(type)}`]),
    ...(namespace === '' ? [] : [self ? `(${below} OR id = ${quoteSql(namespace)})` : below]),
  ].join(' AND ')
}
