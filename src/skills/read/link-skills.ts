// All skills together: which documents describe which tools, across skills, and what bears the same name. The result
// does not depend on the order in which the skills were read.
import { nearest } from '../../base/index.ts'
import { withoutRepeats } from './documents/fields.ts'
import type { ReadReference } from './documents/read-reference.ts'
import { compareText, createFileReport, sortDiagnostics } from './file-report.ts'
import { pathIn, type ReadSkill } from './read-skill.ts'
import type {
  CanonicalSkillPayload,
  CanonicalToolEntry,
  SkillDiagnostic,
  SkillIndexEntry,
} from './records.ts'
import { SKILL_FILE } from './structure.ts'
import type { DeclaredTool } from './tools/read-tools.ts'

export interface LinkedSkill {
  readonly payload: CanonicalSkillPayload
  readonly entry: SkillIndexEntry
}

export interface SkillScan {
  /** By path. */
  readonly skills: readonly LinkedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Each compares one name with all the others. */
const MOST_SUGGESTIONS = 50

/** A document with the keys under which it is known. */
interface KeyedReference {
  readonly reference: ReadReference
  /** In its own skill: the stem, or the path below `references/` when that is taken. */
  readonly id: string
  /** Everywhere: `git.references.smart_commit`. */
  readonly key: string
}

type KeyedTool = readonly [key: string, tool: DeclaredTool]

export function linkSkills(read: readonly ReadSkill[]): SkillScan {
  const diagnostics = read.flatMap(skill => [...skill.diagnostics])
  const skills = [...read].sort((a, b) => compareText(a.path, b.path))
  reportSameNames(skills, diagnostics)
  const references = new Map(skills.map(skill => [skill, keyReferences(skill, diagnostics)]))
  const byTool = referencesByTool([...references.values()].flat())
  reportDangling([...references.values()].flat(), skills, diagnostics)
  return {
    skills: skills.map(skill =>
      linkSkill(skill, references.get(skill)!, byTool, keyTools(skill, diagnostics)),
    ),
    diagnostics: sortDiagnostics(diagnostics),
  }
}

function linkSkill(
  skill: ReadSkill,
  own: readonly KeyedReference[],
  byTool: ReadonlyMap<string, readonly KeyedReference[]>,
  tools: readonly KeyedTool[],
): LinkedSkill {
  const { metadata } = skill
  const entries = tools.map(([key, tool]): [string, CanonicalToolEntry] => {
    const described = byTool.get(tool.record.tool_name) ?? []
    const names = withoutRepeats(described.map(({ reference }) => reference.record.ref_name))
    return [
      key,
      {
        tool: { ...tool.record, skill_tools_refers: names },
        skill_tool_references: Object.fromEntries(
          described.map(one => [one.key, one.reference.record.file_path]),
        ),
      },
    ]
  })
  const records = [...own, ...foreignReferences(own, byTool, tools)]
  const taken = new Set<string>()
  const catalogue = records.map(one => {
    const id = taken.has(one.id) ? one.key : one.id
    taken.add(id)
    return [id, one.reference.record] as const
  })
  const references = Object.fromEntries(catalogue.sort(([a], [b]) => compareText(a, b)))
  return {
    payload: {
      skill_name: skill.name,
      skill_md_path: pathIn(skill, SKILL_FILE),
      metadata,
      skill_tools: Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b))),
      references,
    },
    entry: {
      name: skill.name,
      description: metadata.description,
      version: metadata.version,
      path: skill.path,
      tools: entries.map(([, { tool }]) => ({
        name: tool.tool_name,
        description: tool.description,
        category: tool.category,
        input_schema: tool.input_schema,
        file_hash: tool.file_hash,
      })),
      routing_keywords: metadata.routing_keywords,
      intents: metadata.intents,
      authors: metadata.authors,
      docs_available: skill.docs,
      oss_compliant: [],
      compliance_details: [],
      require_refs: metadata.require_refs,
      sniffing_rules: skill.snifferRules,
      permissions: metadata.permissions,
      references: Object.values(references),
    },
  }
}

/** Documents of other skills that describe tools of this one. */
function foreignReferences(
  own: readonly KeyedReference[],
  byTool: ReadonlyMap<string, readonly KeyedReference[]>,
  tools: readonly KeyedTool[],
): KeyedReference[] {
  const described = tools.flatMap(([, tool]) => byTool.get(tool.record.tool_name) ?? [])
  return [...new Set(described)].filter(one => !own.includes(one))
}

function referencesByTool(references: readonly KeyedReference[]): Map<string, KeyedReference[]> {
  const byTool = new Map<string, KeyedReference[]>()
  for (const one of references) {
    for (const tool of one.reference.record.for_tools ?? []) {
      const list = byTool.get(tool)
      if (list) list.push(one)
      else byTool.set(tool, [one])
    }
  }
  for (const list of byTool.values()) list.sort((a, b) => compareText(a.key, b.key))
  return byTool
}

function keyReferences(skill: ReadSkill, diagnostics: SkillDiagnostic[]): KeyedReference[] {
  const taken = new Map<string, string>()
  return skill.references.map(reference => {
    const { ref_name, file_path } = reference.record
    const other = taken.get(ref_name)
    const id = other === undefined ? ref_name : reference.stem
    if (other === undefined) taken.set(ref_name, file_path)
    else {
      const message = `\`${other}\` has the same name; this document is known as \`${id}\``
      createFileReport(file_path, diagnostics).warning('reference-collision', message)
    }
    return { reference, id, key: `${skill.name}.references.${id}` }
  })
}

/** The first command keeps the name; a resource or another command of that name gets a mark. */
function keyTools(skill: ReadSkill, diagnostics: SkillDiagnostic[]): KeyedTool[] {
  const taken = new Map<string, DeclaredTool>()
  return skill.tools.map(tool => {
    const name = tool.record.tool_name
    const first = taken.get(name)
    let key = name
    if (first) {
      const mark = tool.kind === 'resource' && first.kind === 'command' ? 'resource' : undefined
      key = mark && !taken.has(`${name}#${mark}`) ? `${name}#${mark}` : freeKey(name, taken)
      const message = `\`${name}\` is the ${first.kind} of \`${first.record.file_path}\` line ${first.place.line}; this ${tool.kind} is known as \`${key}\``
      createFileReport(tool.record.file_path, diagnostics).warning('tool-collision', message, tool.place)
    }
    taken.set(key, tool)
    return [key, tool] as const
  })
}

function freeKey(name: string, taken: ReadonlyMap<string, unknown>): string {
  let number = 2
  while (taken.has(`${name}#${number}`)) number++
  return `${name}#${number}`
}

function reportSameNames(skills: readonly ReadSkill[], diagnostics: SkillDiagnostic[]): void {
  const first = new Map<string, ReadSkill>()
  for (const skill of skills) {
    const other = first.get(skill.name)
    if (!other) {
      first.set(skill.name, skill)
      continue
    }
    const message = `\`${pathIn(other, SKILL_FILE)}\` is also called \`${skill.name}\`; their tools have the same names`
    createFileReport(pathIn(skill, SKILL_FILE), diagnostics).warning('skill-collision', message)
  }
}

function reportDangling(
  references: readonly KeyedReference[],
  skills: readonly ReadSkill[],
  diagnostics: SkillDiagnostic[],
): void {
  const names = new Set(skills.flatMap(skill => skill.tools.map(tool => tool.record.tool_name)))
  let suggestions = MOST_SUGGESTIONS
  for (const { reference } of references) {
    for (const tool of reference.record.for_tools ?? []) {
      if (names.has(tool)) continue
      const close = suggestions-- > 0 ? nearest(tool, names)[0] : undefined
      const hint = close === undefined ? '' : `; did you mean \`${close}\`?`
      const report = createFileReport(reference.record.file_path, diagnostics)
      report.warning('tool-unknown', `\`for_tools\`: no tool is called \`${tool}\`${hint}`, reference.place)
    }
  }
}
