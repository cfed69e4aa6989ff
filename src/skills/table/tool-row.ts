// A tool as a row of the `skills` table: columns for what is searched, `metadata` with everything else, and a digest of
// the whole, so that any change to a tool changes its row.
import { printCanonicalJson, sha256Hex } from '../../base/index.ts'
import type { LinkedSkill } from '../read/build-records.ts'
import { nameWords } from '../read/name-words.ts'
import type { ToolRecord } from '../read/records.ts'

export interface ToolRow {
  /** The full name; with a suffix for a second tool of that name. */
  readonly id: string
  /** What the tool does: the text that is shown, searched and embedded. */
  readonly content: string
  readonly tool_name: string
  readonly skill_name: string
  readonly category: string
  readonly file_path: string
  /** The full name as words. */
  readonly name_words: string
  readonly intents: string
  readonly routing_keywords: string
  /** JSON of `ToolRowMetadata`. */
  readonly metadata: string
  readonly digest: string
}

export interface ToolRowMetadata {
  readonly type: 'command' | 'resource'
  readonly skill_name: string
  readonly tool_name: string
  readonly command: string
  readonly file_path: string
  readonly function_name: string
  readonly intents: readonly string[]
  readonly routing_keywords: readonly string[]
  readonly file_hash: string
  readonly input_schema: string
  readonly docstring: string
  readonly category: string
  readonly annotations: ToolRecord['annotations']
  readonly parameters: readonly string[]
  readonly skill_tools_refers: readonly string[]
}

/** Rows of all tools, sorted by id. */
export function buildRows(skills: readonly LinkedSkill[]): ToolRow[] {
  const rows = new Map<string, ToolRow>()
  for (const { payload, entry } of skills) {
    for (const [key, { tool }] of Object.entries(payload.skill_tools)) {
      // Two skills of the same name have tools of the same names.
      const id = rows.has(key) ? `${key}@${entry.path}` : key
      rows.set(id, buildRow(id, tool, entry.routing_keywords))
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function buildRow(id: string, tool: ToolRecord, routingKeywords: readonly string[]): ToolRow {
  const metadata: ToolRowMetadata = {
    type: tool.execution_mode === 'resource' ? 'resource' : 'command',
    skill_name: tool.skill_name,
    tool_name: tool.tool_name,
    command: tool.tool_name.slice(tool.skill_name.length + 1),
    file_path: tool.file_path,
    function_name: tool.function_name,
    intents: tool.intents,
    routing_keywords: routingKeywords,
    file_hash: tool.file_hash,
    input_schema: tool.input_schema,
    docstring: tool.docstring,
    category: tool.category,
    annotations: tool.annotations,
    parameters: tool.parameters,
    skill_tools_refers: tool.skill_tools_refers,
  }
  const row = {
    id,
    content: tool.description,
    tool_name: tool.tool_name,
    skill_name: tool.skill_name,
    category: tool.category,
    file_path: tool.file_path,
    name_words: nameWords(tool.tool_name).join(' '),
    intents: tool.intents.join(' | '),
    routing_keywords: routingKeywords.join(' '),
    metadata: JSON.stringify(metadata),
  }
  return { ...row, digest: sha256Hex(printCanonicalJson(row)) }
}
