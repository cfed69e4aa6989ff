// What linking needs to know about a skill, small enough to keep for every folder. From the facts of all
// skills, in any order, it follows which names are used twice, which documents describe a tool, and which
// describe nothing.
import { nearest } from '../../base/index.ts'
import { compareText, createFileReport, type Place } from './file-report.ts'
import { pathIn, type ReadSkill } from './read-skill.ts'
import type { SkillDiagnostic } from './records.ts'
import { SKILL_FILE } from './structure.ts'
import { keyReferences, keyTools } from './unique-keys.ts'

export interface DocumentFact {
  /** Unique among skills of different names: `git.references.smart_commit`. */
  readonly key: string
  readonly name: string
  /** From the scanned root. */
  readonly path: string
  /** The tools that it describes, by their full names. */
  readonly tools: readonly string[]
  /** Those of them that belong to its own skill. */
  readonly own: readonly string[]
  readonly place: Place
}

export interface SkillFacts {
  /** From the scanned root. */
  readonly path: string
  /** The name of its SKILL.md. */
  readonly main: string
  /** Full names, each once. */
  readonly tools: readonly string[]
  /** This skill's documents that describe tools, its own or those of other skills. */
  readonly documents: readonly DocumentFact[]
  /** What is wrong with this skill alone. */
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Limited because each suggestion compares a name with all others. */
const MOST_SUGGESTIONS = 50

/** `isTaken` tells which full names of tools mean something else. */
export function factsOf(skill: ReadSkill, isTaken?: (name: string) => boolean): SkillFacts {
  const diagnostics = [...skill.diagnostics]
  const tools = [...new Set(skill.tools.map(tool => tool.record.tool_name))]
  const documents = keyReferences(skill, diagnostics).flatMap(({ key, reference: { record, place } }) => {
    const { for_tools: named, ref_name: name, file_path: path } = record
    return named
      ? [{ key, name, path, tools: named, own: named.filter(tool => tools.includes(tool)), place }]
      : []
  })
  keyTools(skill, { diagnostics, ...(isTaken && { isTaken }) })
  return { path: skill.path, main: skill.main, tools, documents, diagnostics }
}

/** The facts with `folder` before each path, which tells the skill's directory from others. */
export function factsBelow(folder: string, facts: SkillFacts): SkillFacts {
  if (folder === '') return facts
  const below = <One extends { readonly path: string }>(one: One): One => ({
    ...one,
    path: one.path === '.' ? folder.replace(/\/$/, '') : `${folder}${one.path}`,
  })
  const { documents, diagnostics } = facts
  return { ...below(facts), documents: documents.map(below), diagnostics: diagnostics.map(below) }
}

/**
 * The result gives the documents that describe a tool of a skill, sorted by key. A document that names a tool
 * of its own skill means that one, not tools of the same name in other skills.
 */
export function linkDocuments(
  all: readonly SkillFacts[],
): (skill: SkillFacts, tool: string) => readonly DocumentFact[] {
  const foreign = new Map<string, DocumentFact[]>()
  for (const document of all.flatMap(({ documents }) => documents)) {
    for (const tool of document.tools) {
      if (document.own.includes(tool)) continue
      const list = foreign.get(tool)
      if (list) list.push(document)
      else foreign.set(tool, [document])
    }
  }
  return ({ documents }, tool) => {
    const own = documents.filter(document => document.own.includes(tool))
    const found = [...own, ...(foreign.get(tool) ?? [])]
    return found.sort((a, b) => compareText(a.key, b.key) || compareText(a.path, b.path))
  }
}

/** Reports problems between skills: tools of the same name, and documents for tools that do not exist. */
export function reportLinks(all: readonly SkillFacts[]): SkillDiagnostic[] {
  const diagnostics: SkillDiagnostic[] = []
  const sorted = [...all].sort((a, b) => compareText(a.path, b.path))
  reportSameNames(sorted, diagnostics)
  reportUnknownTools(sorted, diagnostics)
  return diagnostics
}

/**
 * Skills of the same name in several places are common, as copies for each client. That matters only when
 * their tools cannot be told apart.
 */
function reportSameNames(skills: readonly SkillFacts[], diagnostics: SkillDiagnostic[]): void {
  const owners = new Map<string, SkillFacts>()
  for (const skill of skills) {
    const clashes = skill.tools.filter(name => owners.has(name))
    for (const name of skill.tools) if (!owners.has(name)) owners.set(name, skill)
    if (clashes.length === 0) continue
    const others = clashes.length > 1 ? ` and ${clashes.length - 1} more` : ''
    const message = `\`${pathIn(owners.get(clashes[0]!)!, SKILL_FILE)}\` has a tool \`${clashes[0]}\`${others} as well`
    createFileReport(pathIn(skill, skill.main), diagnostics).warning('skill-collision', message)
  }
}

function reportUnknownTools(skills: readonly SkillFacts[], diagnostics: SkillDiagnostic[]): void {
  const names = new Set(skills.flatMap(skill => [...skill.tools]))
  let suggestions = MOST_SUGGESTIONS
  for (const { path, tools, place } of skills.flatMap(skill => [...skill.documents])) {
    for (const tool of tools) {
      if (names.has(tool)) continue
      const close = suggestions-- > 0 ? nearest(tool, names)[0] : undefined
      const hint = close === undefined ? '' : `; did you mean \`${close}\`?`
      const message = `\`for_tools\`: no tool is called \`${tool}\`${hint}`
      createFileReport(path, diagnostics).warning('tool-unknown', message, place)
    }
  }
}
