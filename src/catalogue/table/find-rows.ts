// Rows that may fit a question, by words and by meaning, and the rows of one item. How well they fit is for our own ranking to say.
import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Vector } from 'apache-arrow'
import { type OpenLance, quoteSql } from '../../lance/index.ts'
import type { Scope } from '../../query/index.ts'
import { CANDIDATE_COLUMNS, type Candidate, MAX_ENTRY, readCandidate } from '../row.ts'
import { isOfThisFormat } from './columns.ts'
import type { RowCache } from './row-cache.ts'

export interface CandidateQuestion {
  /** As `askedWords` gives them. */
  readonly stems: readonly string[]
  readonly names: readonly string[]
  readonly vector: Float32Array | undefined
  readonly scope: Scope
}

export interface FoundRows {
  readonly rows: readonly Candidate[]
  /** How many more there are that another version of rye wrote in a way that is not read here. */
  readonly outdated: number
}

export interface ItemName {
  readonly type?: string | undefined
  readonly id: string
}

/** What is read of each costs a request to storage: twice as many are worth less than a thousandth of nDCG. */
const BY_WORDS = 50
const BY_MEANING = 30
/** Parts of the index of vectors that are looked into. */
const PROBES = 20
/** Bytes of one column, of all rows of one question: they are decoded while nothing else is answered. */
const MOST_DECODED = 32_000_000
/** Roots that may have one id. */
const MOST_ROOTS = 64

/** Which rows fit is asked first: of most, what they hold is known from an earlier question. */
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

/** Asked for only where there is something that cannot be read: it may be nonsense as well. */
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
 * Column by column: what Arrow gives for a row looks each value up anew. Nothing is made of a value that no sync of ours writes, nor of
 * the largest where all are more than a question is worth: anybody can put rows beside ours.
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

/** Bytes of each value of a column, without decoding it; 0 for a number. */
function sizesOf(column: Vector | null, rows: number): number[] {
  const sizes = (column?.data ?? []).flatMap(({ valueOffsets, length }) =>
    Array.from({ length }, (_, at) => (valueOffsets ? Number(valueOffsets[at + 1]! - valueOffsets[at]!) : 0)),
  )
  return sizes.length === rows ? sizes : Array.from({ length: rows }, () => 0)
}

/** A row that a sync has moved meanwhile is not among them. */
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

/** Signed ones first, then by the name of the root, then by digest: the order of the disk may change. */
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
