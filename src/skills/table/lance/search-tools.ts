// Searches the table for the tools that a request means: candidates come from a full-text search and, with an embedder,
// a vector search, and `route.ts` ranks them. Filters apply to both searches, so that nothing gets around them.
import type { FullTextQuery, Table } from '@lancedb/lancedb'
import { AppError } from '../../../base/index.ts'
import { type Lance, quoteSql, vectorLength } from '../../../lance/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import { type Confidence, routeTools } from '../route.ts'
import { unspacedText } from '../skill-rows.ts'
import { modelOf, SEARCHED, UNSPACED } from './row-schema.ts'
import {
  CANDIDATE_COLUMNS,
  type Candidate,
  describeTool,
  readCandidate,
  type ToolSearchResult,
} from './tool-search-result.ts'

export interface RouteOptions {
  /** 1 to 100; default 10. */
  readonly limit?: number
  readonly category?: string
  readonly skill?: string
  /** Only functions, or only skills as a whole. */
  readonly type?: 'command' | 'skill'
  /** Results below this score are left out; 0 to 1. */
  readonly threshold?: number
  /** Results below this confidence are left out. */
  readonly confidence?: Confidence
}

export interface RouteAnswer {
  readonly results: readonly ToolSearchResult[]
  readonly total: number
  readonly search_type: 'keyword' | 'hybrid'
  /** Why the embedder was not used, when there is one. */
  readonly warning?: string
}

interface Source {
  readonly lance: Lance
  readonly table: Table
  readonly embedder: TextEmbedder | undefined
}

interface ToolQuery {
  readonly text: string
  /** How many candidates to return. */
  readonly limit: number
  /** SQL condition, or empty. */
  readonly filter: string
}

interface Found {
  readonly candidate: Candidate
  readonly score: number
}

const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high']
const MAX_QUERY = 2000
const MAX_CANDIDATES = 200
const SYNC = 'sync the table with the embeddings that are set up now'

export async function searchTools(
  source: Source,
  query: string,
  options: RouteOptions,
): Promise<RouteAnswer> {
  const text = query.trim().slice(0, MAX_QUERY)
  if (text === '') throw new AppError('INVALID_INPUT', 'expected a query, got an empty text')
  const { limit = 10, threshold = 0, confidence = 'low' } = options
  const wanted = Math.min(MAX_CANDIDATES, Math.max(2 * limit, limit + 10))
  const toolQuery = { text, limit: wanted, filter: printFilter(options) }
  const [words, meaning] = await Promise.all([
    findByWords(source, toolQuery),
    findByMeaning(source, toolQuery),
  ])
  const byMeaning = meaning.found ?? []
  const candidates = new Map([...words, ...byMeaning].map(({ candidate }) => [candidate.id, candidate]))
  const routed = routeTools({
    query: text,
    candidates: [...candidates.values()],
    keywordHits: words.map(({ candidate, score }) => ({ id: candidate.id, score })),
    vectorHits: byMeaning.map(({ candidate, score }) => ({ id: candidate.id, score })),
  })
  const kept = routed.filter(
    tool =>
      tool.score >= threshold && CONFIDENCES.indexOf(tool.confidence) >= CONFIDENCES.indexOf(confidence),
  )
  return {
    results: kept.slice(0, limit).map(describeTool),
    total: kept.length,
    search_type: meaning.found ? 'hybrid' : 'keyword',
    ...(meaning.warning !== undefined && { warning: `answered by words alone: ${meaning.warning}` }),
  }
}

async function findByWords(source: Source, query: ToolQuery): Promise<Found[]> {
  const { lance } = source
  const boosts = Object.values(SEARCHED)
  const byWords = new lance.MultiMatchQuery(query.text, Object.keys(SEARCHED), { boosts })
  const unspaced = unspacedText(query.text)
  if (unspaced === '') return findByText(source, byWords, query)
  const found = await Promise.all([
    findByText(source, new lance.MatchQuery(unspaced, UNSPACED), query),
    findByText(source, byWords, query),
  ])
  // Character pairs come first: in a script without spaces, a sentence is one word and hardly ever matches.
  const firsts = new Map<string, Found>()
  for (const one of found.flat()) if (!firsts.has(one.candidate.id)) firsts.set(one.candidate.id, one)
  return [...firsts.values()]
}

async function findByText({ table }: Source, match: FullTextQuery, query: ToolQuery): Promise<Found[]> {
  const search = table
    .query()
    .fullTextSearch(match)
    .select([...CANDIDATE_COLUMNS, '_score'])
    .limit(query.limit)
  const rows = await (query.filter === '' ? search : search.where(query.filter)).toArray()
  return readFound(rows, row => Number(row._score))
}

interface FoundByMeaning {
  /** Undefined when there was no vector search. */
  readonly found?: Found[]
  readonly warning?: string
}

/** A provider that fails or is slow, or a table of another model, adds a warning; the search goes on without it. */
async function findByMeaning({ table, embedder }: Source, query: ToolQuery): Promise<FoundByMeaning> {
  if (!embedder) return {}
  const problem = await vectorProblem(table, embedder)
  if (problem !== undefined) return { warning: problem }
  let vector: Float32Array | undefined
  try {
    vector = await embedder.embedQuestion(query.text)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { warning: thrown.message }
  }
  // The embedder knows no word of the question.
  if (!vector) return { found: [] }
  const length = vectorLength(await table.schema())
  if (vector.length !== length)
    return { warning: `the table has vectors of ${length} numbers, expected ${vector.length}; ${SYNC}` }
  const search = table
    .vectorSearch([...vector])
    .distanceType('l2')
    .select([...CANDIDATE_COLUMNS, '_distance'])
    .limit(query.limit)
  const rows = await (query.filter === '' ? search : search.where(query.filter)).toArray()
  // LanceDB returns the squared distance, which for unit vectors is 2 - 2 x cosine.
  const near = rows.filter(row => Number(row._distance) <= 2 - 2 * embedder.near)
  return { found: readFound(near, row => 1 / (1 + Math.sqrt(Math.max(0, Number(row._distance))))) }
}

/** Vectors of two models cannot be compared, even if they have the same length. */
async function vectorProblem(table: Table, embedder: TextEmbedder): Promise<string | undefined> {
  if (!(await table.schema()).names.includes('vector')) return `the table has no vectors; ${SYNC}`
  const [row] = await table.query().select(['digest']).limit(1).toArray()
  if (!row) return undefined
  const model = modelOf(String(row.digest))
  return model === embedder.model ? undefined : `the table has vectors of \`${model}\`; ${SYNC}`
}

function readFound(
  rows: readonly Record<string, unknown>[],
  scoreOf: (row: Record<string, unknown>) => number,
): Found[] {
  const found = rows.flatMap(row => {
    const candidate = readCandidate(row)
    return candidate ? [{ candidate, score: scoreOf(row) }] : []
  })
  // LanceDB returns equal scores in disk order, which may change.
  return found.sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1))
}

function printFilter({ category, skill, type }: RouteOptions): string {
  const conditions: string[] = []
  if (category !== undefined) conditions.push(`category = ${quoteSql(category)}`)
  if (skill !== undefined) conditions.push(`skill_name = ${quoteSql(skill)}`)
  if (type !== undefined) conditions.push(`type = ${quoteSql(type)}`)
  return conditions.join(' AND ')
}
