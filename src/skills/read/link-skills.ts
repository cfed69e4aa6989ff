// Links all skills: which documents describe which tools, across skills, and which names are used twice. The result
// does not depend on the order in which the skills were read.
import { buildRecords, type LinkedSkill } from './build-records.ts'
import { compareText, sortDiagnostics } from './file-report.ts'
import type { ReadSkill } from './read-skill.ts'
import type { SkillDiagnostic } from './records.ts'
import { factsOf, reportLinks } from './skill-facts.ts'
import { type KeyedReference, keyReferences, keyTools } from './unique-keys.ts'

export interface SkillScan {
  /** Sorted by path. */
  readonly skills: readonly LinkedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export function linkSkills(read: readonly ReadSkill[]): SkillScan {
  const skills = [...read].sort((a, b) => compareText(a.path, b.path))
  const facts = skills.map(factsOf)
  const own = facts.flatMap(({ diagnostics }) => [...diagnostics])
  const references = new Map(skills.map(skill => [skill, keyReferences(skill)]))
  const byTool = referencesByTool([...references.values()].flat())
  return {
    skills: skills.map(skill =>
      buildRecords(skill, { own: references.get(skill)!, byTool, tools: keyTools(skill) }),
    ),
    diagnostics: sortDiagnostics([...own, ...reportLinks(facts)]),
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
