// Links all skills: which documents describe which tools, across skills, and which names are used twice. The result
// does not depend on the order in which the skills were read.
import { buildRecords, type LinkedSkill } from './build-records.ts'
import { compareText, sortDiagnostics } from './file-report.ts'
import type { ReadSkill } from './read-skill.ts'
import type { SkillDiagnostic } from './records.ts'
import { factsOf, linkDocuments, reportLinks } from './skill-facts.ts'
import { keyReferences, keyTools, takenNames } from './unique-keys.ts'

export interface SkillScan {
  /** Sorted by path. */
  readonly skills: readonly LinkedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export function linkSkills(read: readonly ReadSkill[]): SkillScan {
  const skills = [...read].sort((a, b) => compareText(a.path, b.path))
  const paths = new Set(skills.map(({ path }) => path))
  const takenOf = (skill: ReadSkill) =>
    takenNames({ skill, itemId: skill.path, isSkill: id => paths.has(id) })
  const facts = skills.map(skill => factsOf(skill, takenOf(skill)))
  const own = facts.flatMap(({ diagnostics }) => [...diagnostics])
  const references = skills.map(skill => keyReferences(skill))
  const byPath = new Map(references.flat().map(one => [one.reference.record.file_path, one]))
  const documentsOf = linkDocuments(facts)
  return {
    skills: skills.map((skill, index) =>
      buildRecords(skill, {
        own: references[index]!,
        describing: tool => documentsOf(facts[index]!, tool).map(({ path }) => byPath.get(path)!),
        tools: keyTools(skill, { isTaken: takenOf(skill) }),
      }),
    ),
    diagnostics: sortDiagnostics([...own, ...reportLinks(facts)]),
  }
}
