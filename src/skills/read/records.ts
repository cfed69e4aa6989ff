// The records made from a skill folder. Field names and their order are those of the JSON: snake_case, every key
// present unless marked optional. `docs/formats/skill.md` describes where each value comes from.
import type { Diagnostic, JsonObject } from '../../base/index.ts'

/** The files of a skill. Paths are relative, with `/`; a file that was listed but not read has no bytes. */
export interface SkillFolder {
  /** The folder's name, which is the skill's. */
  readonly name: string
  /** From the scanned root to the folder; `.` when the root is the skill. */
  readonly path: string
  readonly files: ReadonlyMap<string, Uint8Array | undefined>
}

/** A diagnostic and the file it is about, relative to the scanned root. */
export interface SkillDiagnostic extends Diagnostic {
  readonly path: string
}

export interface SkillMetadata {
  readonly skill_name: string
  readonly version: string
  readonly description: string
  readonly routing_keywords: readonly string[]
  readonly authors: readonly string[]
  readonly intents: readonly string[]
  readonly require_refs: readonly string[]
  readonly repository: string
  readonly permissions: readonly string[]
  /** The front matter's name, when the folder has another. */
  readonly name?: string
  readonly license?: string
  readonly compatibility?: string
  readonly allowed_tools?: string
  /** Keys of `metadata:` that have no field above. */
  readonly metadata?: JsonObject
}

/** Arguments of `@skill_command` and `@skill_resource`; null where the decorator has none. */
export interface DecoratorArgs {
  readonly name: string | null
  readonly description: string | null
  readonly category: string | null
  readonly destructive: boolean | null
  readonly read_only: boolean | null
}

/** A parameter as the function declares it. */
export interface ParsedParameter {
  readonly name: string
  readonly type_annotation: string | null
  readonly has_default: boolean
  /** As it is written. */
  readonly default_value: string | null
}

export interface ToolAnnotations {
  readonly read_only: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly open_world: boolean
}

/** `resource` is a `@skill_resource`; `script` is a function that cannot be called by name. */
export type ExecutionMode = 'sync' | 'async' | 'script' | 'resource'

export interface ToolRecord {
  readonly tool_name: string
  readonly description: string
  readonly skill_name: string
  readonly file_path: string
  readonly function_name: string
  readonly execution_mode: ExecutionMode
  readonly keywords: readonly string[]
  readonly intents: readonly string[]
  readonly file_hash: string
  /** JSON Schema 2020-12, as JSON text. */
  readonly input_schema: string
  readonly docstring: string
  readonly category: string
  readonly annotations: ToolAnnotations
  readonly parameters: readonly string[]
  readonly skill_tools_refers: readonly string[]
}

export interface ReferenceRecord {
  readonly ref_name: string
  readonly title: string
  readonly skill_name: string
  readonly file_path: string
  readonly for_skills: readonly string[]
  readonly for_tools: readonly string[] | null
  readonly doc_type: string
  readonly content_preview: string
  readonly keywords: readonly string[]
  readonly sections: readonly string[]
  readonly file_hash: string
  readonly description?: string
  /** Keys of the front matter that have no field above. */
  readonly metadata?: JsonObject
}

export interface CanonicalToolEntry {
  readonly tool: ToolRecord
  /** `<skill>.references.<stem>` → path. */
  readonly skill_tool_references: Readonly<Record<string, string>>
}

export interface CanonicalSkillPayload {
  readonly skill_name: string
  readonly skill_md_path: string
  /** Empty without front matter. */
  readonly metadata: SkillMetadata | Readonly<Record<string, never>>
  readonly skill_tools: Readonly<Record<string, CanonicalToolEntry>>
  readonly references: Readonly<Record<string, ReferenceRecord>>
}

/** The light form of a skill's metadata. */
export type SkillManifest = Pick<
  SkillMetadata,
  'skill_name' | 'version' | 'description' | 'routing_keywords' | 'authors' | 'intents'
>

/** What the records of a skill were made from. */
export interface SkillDetails {
  readonly skill_name: string
  readonly path: string
  readonly manifest: SkillManifest
  /** The parts of the usual layout that it has. */
  readonly structure: SkillStructure
  readonly tools: Readonly<
    Record<string, { readonly decorator: DecoratorArgs; readonly parameters: readonly ParsedParameter[] }>
  >
}

export interface IndexToolEntry {
  readonly name: string
  readonly description: string
  readonly category: string
  readonly input_schema: string
  readonly file_hash: string
}

export interface SnifferRule {
  readonly type: string
  readonly pattern: string
}

export interface DocsAvailable {
  readonly skill_md: boolean
  readonly readme: boolean
  readonly tests: boolean
}

export interface SkillIndexEntry {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly path: string
  readonly tools: readonly IndexToolEntry[]
  readonly routing_keywords: readonly string[]
  readonly intents: readonly string[]
  readonly authors: readonly string[]
  readonly docs_available: DocsAvailable
  readonly oss_compliant: readonly string[]
  readonly compliance_details: readonly string[]
  readonly require_refs: readonly string[]
  readonly sniffing_rules: readonly SnifferRule[]
  readonly permissions: readonly string[]
  readonly references: readonly ReferenceRecord[]
}

export interface StructureItem {
  readonly path: string
  readonly description: string
  readonly item_type: 'file' | 'dir'
}

export interface SkillStructure {
  readonly required: readonly StructureItem[]
  readonly default: readonly StructureItem[]
  readonly optional: readonly StructureItem[]
}

/** Names of rows, sorted. */
export interface SyncReport {
  readonly added: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  readonly unchanged_count: number
}

export type KnowledgeCategory =
  | 'architecture'
  | 'debugging'
  | 'error'
  | 'note'
  | 'pattern'
  | 'reference'
  | 'technique'
  | 'workflow'
  | 'solution'
  | 'unknown'

export interface KnowledgeMetadata {
  readonly title: string | null
  readonly description: string | null
  readonly category: KnowledgeCategory | null
  readonly tags: readonly string[]
  readonly authors: readonly string[]
  readonly source: string | null
  readonly version: string | null
}

export interface KnowledgeEntry {
  readonly id: string
  readonly file_path: string
  readonly title: string
  readonly description: string
  readonly category: KnowledgeCategory
  readonly tags: readonly string[]
  readonly authors: readonly string[]
  readonly source: string | null
  readonly version: string
  readonly file_hash: string
  readonly content_preview: string
}

export interface GenericFrontmatter {
  readonly title: string | null
  readonly description: string | null
  readonly category: string | null
  readonly tags: readonly string[] | null
  readonly metadata: JsonObject | null
}

/** What an entry was made from. */
export interface KnowledgeDetails {
  readonly file_path: string
  /** The keys that any document has. */
  readonly frontmatter: GenericFrontmatter
  readonly metadata: KnowledgeMetadata
}
