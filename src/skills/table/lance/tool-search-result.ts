// A found tool as the answer shows it, and the part of a row that it is made from.
import { isRecord, type JsonObject } from '../../../base/index.ts'
import type { Confidence, RoutedTool } from '../route.ts'
import type { ToolRowMetadata } from '../skill-rows.ts'

export interface ToolSearchResult {
  /** What `load` and `execute` take. */
  readonly id: string
  readonly type: ToolRowMetadata['type']
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

export interface Candidate {
  readonly id: string
  readonly description: string
  readonly metadata: ToolRowMetadata
}

/** Columns of the table from which a candidate is read. */
export const CANDIDATE_COLUMNS = ['id', 'content', 'metadata']

/** Undefined for a row that we did not write. */
export function readCandidate(row: Readonly<Record<string, unknown>>): Candidate | undefined {
  const value = parseObject(String(row.metadata))
  const isOurs =
    typeof value.tool_name === 'string' &&
    typeof value.input_schema === 'string' &&
    Array.isArray(value.intents) &&
    Array.isArray(value.routing_keywords)
  if (!isOurs) return undefined
  // The shape that `buildSkillRows` prints.
  const metadata = value as unknown as ToolRowMetadata
  return { id: String(row.id), description: String(row.content), metadata }
}

export function describeTool(found: RoutedTool<Candidate>): ToolSearchResult {
  const { id, description, metadata } = found.candidate
  return {
    id,
    type: metadata.type,
    name: metadata.tool_name,
    description,
    score: round(found.score),
    confidence: found.confidence,
    final_score: round(found.finalScore),
    ...(found.keywordScore !== undefined && { keyword_score: round(found.keywordScore) }),
    ...(found.vectorScore !== undefined && { vector_score: round(found.vectorScore) }),
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
