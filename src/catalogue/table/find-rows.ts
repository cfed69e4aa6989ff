// Rows that may fit a question, by words and by meaning, and the rows of one item. How well they fit is for our own ranking to say.
import type { Table } from '@lancedb/lancedb'
import { type OpenLance, quoteSql } from '../../lance/index.ts'
import type { Scope } from '../../query/index.ts'
import { CANDIDATE_COLUMNS, type Candidate, readCandidate } from '../row.ts'

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

export async function findCandidates(
  { lance }: OpenLance,
  table: Table,
  question: CandidateQuestion,
): Promise<Candidate[]> {
  const { stems, names, vector, scope } = question
  const filter = printScope(scope)
  const words = [...stems, ...names].join(' ')
  const searches: Promise<Record<string, unknown>[]>[] = []
  const restricted = <Q extends { where(filter: string): Q }>(query: Q) =>
    filter === '' ? query : query.where(filter)
  if (words !== '') {
    const match = new lance.MatchQuery(words, 'words')
    const query = table
      .query()
      .fullTextSearch(match)
      .select([...CANDIDATE_COLUMNS, '_score'])
      .limit(BY_WORDS)
    searches.push(restricted(query).toArray())
  }
  if (vector) {
    const query = table
      .vectorSearch(vector)
      .distanceType('dot')
      .nprobes(PROBES)
      .select([...CANDIDATE_COLUMNS, '_distance'])
      .limit(BY_MEANING)
    searches.push(restricted(query).toArray())
  }
  // A query without words, such as `*`.
  if (stems.length === 0 && !vector)
    searches.push(restricted(table.query().select(CANDIDATE_COLUMNS)).limit(BY_WORDS).toArray())
  return firstOfEach((await Promise.all(searches)).flat())
}

export async function findItemRows(table: Table, { type, id }: ItemName): Promise<Candidate[]> {
  const ofType = type === undefined ? '' : ` AND type = ${quoteSql(type)}`
  const rows = await table
    .query()
    .select(CANDIDATE_COLUMNS)
    .where(`id = ${quoteSql(id)}${ofType}`)
    .limit(MOST_ROOTS)
    .toArray()
  const found = rows.flatMap(row => readCandidate(row.toJSON()) ?? [])
  return found.filter(one => one.id === id).sort(byRoot)
}

/** Of items of one type and id, the one that claims a signature, then the one of the first root by name. */
function firstOfEach(rows: readonly Record<string, unknown>[]): Candidate[] {
  const firsts = new Map<string, Candidate>()
  for (const row of rows) {
    const candidate = readCandidate(row)
    if (!candidate) continue
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
