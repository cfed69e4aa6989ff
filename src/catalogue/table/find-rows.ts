// Rows that may fit a question, by words and by meaning, and the rows of one item. How well they fit is for our own ranking to say.
import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { type OpenLance, quoteSql } from '../../lance/index.ts'
import type { Scope } from '../../query/index.ts'
import { CANDIDATE_COLUMNS, type Candidate, readCandidate } from '../row.ts'
import type { RowCache, RowName } from './row-cache.ts'

export interface CandidateQuestion {
  /** As `askedWords` gives them. */
  readonly stems: readonly string[]
  readonly names: readonly string[]
  readonly vector: Float32Array | undefined
  readonly scope: Scope
}

export interface ItemName {
  readonly type?: string | undefined
  readonly id: string
}

const BY_WORDS = 80
const BY_MEANING = 40
/** Parts of the index of vectors that are looked into. */
const PROBES = 20
/** Roots that may have one id. */
const MOST_ROOTS = 64

/** Which rows fit is asked first: of most, what they hold is known from an earlier question. */
export async function findCandidates(
  { lance }: OpenLance,
  table: Table,
  question: CandidateQuestion,
  cache: RowCache,
): Promise<Candidate[]> {
  const { stems, names, vector, scope } = question
  const filter = printScope(scope)
  const words = [...stems, ...names].join(' ')
  const queries: (Query | VectorQuery)[] = []
  if (words !== '') {
    const match = new lance.MatchQuery(words, 'words')
    queries.push(table.query().fullTextSearch(match).select(['digest', '_score']).limit(BY_WORDS))
  }
  if (vector) {
    const near = table.vectorSearch(vector).distanceType('dot').nprobes(PROBES)
    queries.push(near.select(['digest', '_distance']).limit(BY_MEANING))
  }
  // A query without words, such as `*`.
  if (stems.length === 0 && !vector) queries.push(table.query().select(['digest']).limit(BY_WORDS))
  const found = await Promise.all(
    queries.map(async query =>
      readNames(await (filter === '' ? query : query.where(filter)).withRowId().toArrow()),
    ),
  )
  return firstOfEach(await readRows(table, found.flat(), cache))
}

function readNames(found: ArrowTable): RowName[] {
  const [places, digests] = [found.getChild('_rowid'), found.getChild('digest')]
  return Array.from({ length: found.numRows }, (_, row) => ({
    place: BigInt(places?.get(row)),
    digest: String(digests?.get(row)),
  }))
}

/** Column by column: what Arrow gives for a row looks each value up anew. */
function rowsOf(table: ArrowTable): Record<string, unknown>[] {
  const rows = Array.from({ length: table.numRows }, (): Record<string, unknown> => ({}))
  for (const { name } of table.schema.fields) {
    const column = table.getChild(name)
    for (let row = 0; row < rows.length; row++) rows[row]![name] = column?.get(row)
  }
  return rows
}

/** A row that a sync has moved meanwhile is not among them. */
async function readRows(table: Table, names: readonly RowName[], cache: RowCache): Promise<Candidate[]> {
  const missing = new Map(names.filter(name => !cache.get(name)).map(name => [name.place, name]))
  const read = new Map<bigint, Candidate>()
  if (missing.size > 0) {
    const rows = await table
      .takeRowIds([...missing.keys()])
      .select(CANDIDATE_COLUMNS)
      .withRowId()
      .toArrow()
    for (const row of rowsOf(rows)) {
      const name = missing.get(BigInt(row._rowid as bigint))
      const candidate = readCandidate(row)
      if (!name || candidate?.digest !== name.digest) continue
      cache.put(name, candidate)
      read.set(name.place, candidate)
    }
  }
  return names.flatMap(name => read.get(name.place) ?? cache.get(name) ?? [])
}

export async function findItemRows(table: Table, { type, id }: ItemName): Promise<Candidate[]> {
  const ofType = type === undefined ? '' : ` AND type = ${quoteSql(type)}`
  const rows = await table
    .query()
    .select(CANDIDATE_COLUMNS)
    .where(`id = ${quoteSql(id)}${ofType}`)
    .limit(MOST_ROOTS)
    .toArrow()
  const found = rowsOf(rows).flatMap(row => readCandidate(row) ?? [])
  return found.filter(one => one.id === id).sort(byRoot)
}

/** Of items of one type and id, the one that claims a signature, then the one of the first root by name. */
function firstOfEach(candidates: readonly Candidate[]): Candidate[] {
  const firsts = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const name = `${candidate.type}:${candidate.id}`
    const known = firsts.get(name)
    if (!known || byRoot(candidate, known) < 0) firsts.set(name, candidate)
  }
  return [...firsts.values()]
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
