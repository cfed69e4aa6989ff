// The records of one skill as they are printed: the canonical payload with every detail, and the index entry.
import { withoutRepeats } from './documents/fields.ts'
import { compareText } from './file-report.ts'
import { pathIn, type ReadSkill } from './read-skill.ts'
import type {
  CanonicalSkillPayload,
  CanonicalToolEntry,
  ReferenceRecord,
  SkillDetails,
  SkillIndexEntry,
} from './records.ts'
import type { KeyedReference, KeyedTool } from './unique-keys.ts'

export interface LinkedSkill {
  readonly details: SkillDetails
  readonly payload: CanonicalSkillPayload
  readonly entry: SkillIndexEntry
}

export interface SkillLinks {
  readonly tools: readonly KeyedTool[]
  /** Documents in the skill's own folder. */
  readonly own: readonly KeyedReference[]
  /** The documents of any skill that describe a tool of this one. */
  describing(toolName: string): readonly KeyedReference[]
}

export function buildRecords(skill: ReadSkill, links: SkillLinks): LinkedSkill {
  const tools = sortedObject(
    links.tools.map(([key, { record }]) => [key, describeTool(record, links.describing(record.tool_name))]),
  )
  const references = referencesOf(links)
  return {
    details: detailsOf(skill, links.tools),
    payload: {
      skill_name: skill.name,
      skill_md_path: pathIn(skill, skill.main),
      metadata: skill.hasMatter ? skill.metadata : {},
      skill_tools: tools,
      references,
    },
    entry: indexEntry(skill, tools, Object.values(references)),
  }
}

function detailsOf(skill: ReadSkill, tools: readonly KeyedTool[]): SkillDetails {
  const { skill_name, version, description, routing_keywords, authors, intents } = skill.metadata
  return {
    skill_name: skill.name,
    path: skill.path,
    manifest: { skill_name, version, description, routing_keywords, authors, intents },
    structure: skill.structure,
    tools: sortedObject(
      tools.map(([key, { decorator, parsedParameters }]) => [
        key,
        { decorator, parameters: parsedParameters },
      ]),
    ),
  }
}

function describeTool(
  record: CanonicalToolEntry['tool'],
  references: readonly KeyedReference[],
): CanonicalToolEntry {
  const names = references.map(({ reference }) => reference.record.ref_name)
  const paths = withFreeKeys(references, ({ key, pathKey }) => [key, pathKey])
  return {
    tool: { ...record, skill_tools_refers: withoutRepeats(names) },
    skill_tool_references: Object.fromEntries(
      paths.map(([key, { reference }]) => [key, reference.record.file_path]),
    ),
  }
}

/** The skill's own documents, and those of other skills that describe its tools. */
function referencesOf({ own, describing, tools }: SkillLinks): Record<string, ReferenceRecord> {
  const described = tools.flatMap(([, tool]) => describing(tool.record.tool_name))
  const foreign = [...new Set(described)].filter(one => !own.includes(one))
  const keyed = withFreeKeys([...own, ...foreign], ({ id, key, pathKey }) => [id, key, pathKey])
  return sortedObject(keyed.map(([key, { reference }]) => [key, reference.record]))
}

/** Puts each under the first of its keys that no earlier one has taken. */
function withFreeKeys(
  references: readonly KeyedReference[],
  keysOf: (reference: KeyedReference) => readonly string[],
): (readonly [string, KeyedReference])[] {
  const taken = new Set<string>()
  return references.map(one => {
    const keys = keysOf(one)
    const free = keys.find(key => !taken.has(key)) ?? keys.at(-1)!
    taken.add(free)
    return [free, one]
  })
}

function indexEntry(
  skill: ReadSkill,
  tools: Readonly<Record<string, CanonicalToolEntry>>,
  references: readonly ReferenceRecord[],
): SkillIndexEntry {
  const { metadata } = skill
  return {
    name: skill.name,
    description: metadata.description,
    version: metadata.version,
    path: skill.path,
    tools: Object.entries(tools).map(([name, { tool }]) => ({
      name,
      description: tool.description,
      category: tool.category,
      input_schema: tool.input_schema,
      file_hash: tool.file_hash,
    })),
    routing_keywords: metadata.routing_keywords,
    intents: metadata.intents,
    authors: metadata.authors,
    docs_available: skill.docs,
    oss_compliant: skill.compliance.licenses,
    compliance_details: skill.compliance.details,
    require_refs: metadata.require_refs,
    sniffing_rules: skill.snifferRules,
    permissions: metadata.permissions,
    references,
  }
}

function sortedObject<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)))
}
