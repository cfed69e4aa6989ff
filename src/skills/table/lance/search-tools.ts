// Routing search over the table: candidates by full text, and by vector when there is an embedder, then ranked by the
// pure rules of `skill/`. Filters hold for both, so that nothing filtered out comes back through the other.
import type { Table } from '@lancedb/lancedb'
import { AppError, isRecord, type JsonObject } from '../../../base/index.ts'
import type { Embedder } from '../../../search/index.ts'
import { type Confidence, type RoutedTool, routeTools } from '../route.ts'
import type { ToolRowMetadata } from '../tool-row.ts'
import type { Lance } from './load-lance.ts'
import { modelOf, SEARCHED } from './row-schema.ts'

export interface RouteOptions {
  /** 1 to 100; 10 without it. */
  readonly limit?: number
  readonly category?: string
  readonly skill?: string
  /** Results below this score are left out; 0 to 1. */
  readonly threshold?: number
  /** Results below this confidence are left out. */
  readonly confidence?: Confidence
}

export interface ToolSearchResult {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly score: number
  readonly confidence: Confidence
  readonly final_score: number
  readonly keyword_score?: number
  readonly vector_score?: number
  readonly skill_name: string
  readonly tool_name: string
  readonly category: string
  readonly file_path: string
  readonly routing_keywords: readonly string[]
  readonly intents: readonly string[]
  readonly parameters: readonly string[]
  readonly input_schema: JsonObject
  readonly content: string
  readonly metadata: ToolRowMetadata
}

export interface RouteAnswer {
  readonly results: readonly ToolSearchResult[]
  readonly total: number
  readonly search_type: 'keyword' | 'hybrid'
  /** Why the answer is by words alone, though there is an embedder. */
  readonly warning?: string
}

interface Candidate {
  readonly id: string
  readonly description: string
  readonly metadata: ToolRowMetadata
}

interface Source {
  readonly lance: Lance
  readonly table: Table
  readonly embedder: Embedder | undefined
}

const COLUMNS = ['id', 'content', 'metadata']
const LEVELS: readonly Confidence[] = ['low', 'medium', 'high']
const LONGEST_QUERY = 2000
const MOST_CANDIDATES = 200

export async function searchTools(
  source: Source,
  query: string,
  options: RouteOptions,
): Promise<RouteAnswer> {
  const text = query.trim().slice(0, LONGEST_QUERY)
  if (text === '') throw new AppError('INVALID_INPUT', 'expected a query, got an empty text')
  const { limit = 10, threshold = 0, confidence = 'low' } = options
  const wanted = Math.min(MOST_CANDIDATES, Math.max(2 * limit, limit + 10))
  const filter = filterOf(options)
  const [words, meaning] = await Promise.all([
    findByWords(source, text, wanted, filter),
    findByMeaning(source, text, wanted, filter),
  ])
  const byMeaning = meaning.found ?? []
  const candidates = new Map([...words, ...byMeaning].map(found => [found.candidate.id, found.candidate]))
  const routed = routeTools({
    query: text,
    candidates: [...candidates.values()],
    keywordHits: words.map(({ candidate, score }) => ({ id: candidate.id, score })),
    vectorHits: byMeaning.map(({ candidate, score }) => ({ id: candidate.id, score })),
  })
  const kept = routed.filter(
    one => one.score >= threshold && LEVELS.indexOf(one.confidence) >= LEVELS.indexOf(confidence),
  )
  return {
    results: kept.slice(0, limit).map(describe),
    total: kept.length,
    search_type: meaning.found ? 'hybrid' : 'keyword',
    ...(meaning.warning !== undefined && { warning: `answered by words alone: ${meaning.warning}` }),
  }
}

interface Found {
  readonly candidate: Candidate
  readonly score: number
}

async function findByWords(source: Source, text: string, wanted: number, filter: string): Promise<Found[]> {
  const { lance, table } = source
  const boosts = Object.values(SEARCHED)
  const match = new lance.MultiMatchQuery(text, Object.keys(SEARCHED), { boosts })
  const query = table
    .query()
    .fullTextSearch(match)
    .select([...COLUMNS, '_score'])
    .limit(wanted)
  const rows = await (filter === '' ? query : query.where(filter)).toArray()
  return toFound(rows, row => Number(row._score))
}

interface Meaning {
  /** Undefined when nothing was asked for by meaning. */
  readonly found?: Found[]
  readonly warning?: string
}

/** A provider that is dead or slow, or a table of another model, costs a warning and not the answer. */
async function findByMeaning(source: Source, text: string, wanted: number, filter: string): Promise<Meaning> {
  const { table, embedder } = source
  if (!embedder) return {}
  const problem = await vectorProblem(table, embedder)
  if (problem !== undefined) return { warning: problem }
  let vector: Float32Array | undefined
  try {
    vector = (await embedder.embed([text]))[0]
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { warning: thrown.message }
  }
  const query = table
    .vectorSearch([...(vector ?? [])])
    .distanceType('l2')
    .select([...COLUMNS, '_distance'])
    .limit(wanted)
  const rows = await (filter === '' ? query : query.where(filter)).toArray()
  // LanceDB gives the square of the distance.
  return { found: toFound(rows, row => 1 / (1 + Math.sqrt(Math.max(0, Number(row._distance))))) }
}

/** Vectors of two models are not comparable, however long they are. */
async function vectorProblem(table: Table, embedder: Embedder): Promise<string | undefined> {
  const mend = 'sync the table with the embeddings that are set up now'
  if (!(await table.schema()).names.includes('vector')) return `the table has no vectors; ${mend}`
  const [row] = await table.query().select(['digest']).limit(1).toArray()
  if (!row) return undefined
  const model = modelOf(String(row.digest))
  return model === embedder.model ? undefined : `the table has vectors of \`${model}\`; ${mend}`
}

function toFound(
  rows: readonly Record<string, unknown>[],
  scoreOf: (row: Record<string, unknown>) => number,
): Found[] {
  const found = rows.flatMap(row => {
    const metadata = readMetadata(row.metadata)
    if (!metadata) return []
    return [
      { candidate: { id: String(row.id), description: String(row.content), metadata }, score: scoreOf(row) },
    ]
  })
  // Equal scores come in the order of the disk; names do not change.
  return found.sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1))
}

/** Null for a row that we did not write. */
function readMetadata(text: unknown): ToolRowMetadata | undefined {
  const value = parseObject(String(text))
  const isOurs =
    typeof value.tool_name === 'string' &&
    Array.isArray(value.intents) &&
    Array.isArray(value.routing_keywords)
  // The shape that `buildRows` prints.
  return isOurs ? (value as unknown as ToolRowMetadata) : undefined
}

function describe(one: RoutedTool<Candidate>): ToolSearchResult {
  const { id, description, metadata } = one.candidate
  return {
    id,
    name: metadata.tool_name,
    description,
    score: round(one.score),
    confidence: one.confidence,
    final_score: round(one.finalScore),
    ...(one.keywordScore !== undefined && { keyword_score: round(one.keywordScore) }),
    ...(one.vectorScore !== undefined && { vector_score: round(one.vectorScore) }),
    skill_name: metadata.skill_name,
    tool_name: metadata.tool_name,
    category: metadata.category,
    file_path: metadata.file_path,
    routing_keywords: metadata.routing_keywords,
    intents: metadata.intents,
    parameters: metadata.parameters,
    input_schema: parseObject(metadata.input_schema),
    content: description,
    metadata,
  }
}

function filterOf({ category, skill }: RouteOptions): string {
  const parts: string[] = []
  if (category !== undefined) parts.push(`category = '${category.replaceAll("'", "''")}'`)
  if (skill !== undefined) parts.push(`skill_name = '${skill.replaceAll("'", "''")}'`)
  return parts.join(' AND ')
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    // JSON.parse makes JSON.
    return isRecord(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}
