// Links all skills: which documents describe which tools, across skills, and which names are used twice. The result
// does not depend on the order in which the skills were read.
import { nearest } from '../../base/index.ts'
import { buildRecords, type LinkedSkill } from './build-records.ts'
import { compareText, createFileReport, sortDiagnostics } from './file-report.ts'
import { pathIn, type ReadSkill } from './read-skill.ts'
import type { SkillDiagnostic } from './records.ts'
import { SKILL_FILE } from './structure.ts'
import { type KeyedReference, keyReferences, keyTools } from './unique-keys.ts'

export interface SkillScan {
  /** Sorted by path. */
  readonly skills: readonly LinkedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Each one compares a name with all others. */
const MOST_SUGGESTIONS = 50

export function linkSkills(read: readonly ReadSkill[]): SkillScan {
  const diagnostics = read.flatMap(skill => [...skill.diagnostics])
  const skills = [...read].sort((a, b) => compareText(a.path, b.path))
  reportSameNames(skills, diagnostics)
  const references = new Map(skills.map(skill => [skill, keyReferences(skill, diagnostics)]))
  const byTool = referencesByTool([...references.values()].flat())
  reportUnknownTools([...references.values()].flat(), skills, diagnostics)
  return {
    skills: skills.map(skill =>
      buildRecords(skill, { own: references.get(skill)!, byTool, tools: keyTools(skill, diagnostics) }),
    ),
    diagnostics: sortDiagnostics(diagnostics),
  }
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

/** Skills of one name in several places are usual, as copies for each client; it matters only where their tools cannot be told apart. */
function reportSameNames(skills: readonly ReadSkill[], diagnostics: SkillDiagnostic[]): void {
  const owners = new Map<string, ReadSkill>()
  for (const skill of skills) {
    const names = new Set(skill.tools.map(tool => tool.record.tool_name))
    const clashes = [...names].filter(name => owners.has(name))
    for (const name of names) if (!owners.has(name)) owners.set(name, skill)
    if (clashes.length === 0) continue
    const others = clashes.length > 1 ? ` and ${clashes.length - 1} more` : ''
    const message = `\`${pathIn(owners.get(clashes[0]!)!, SKILL_FILE)}\` has a tool \`${clashes[0]}\`${others} as well`
    createFileReport(pathIn(skill, skill.main), diagnostics).warning('skill-collision', message)
  }
}

function reportUnknownTools(
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
