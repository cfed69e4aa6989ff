// Keys of documents and tools, unique in their skill. Two of the same name are both kept, and the second gets another
// key and a warning.
import type { ReadReference } from './documents/read-reference.ts'
import { createFileReport } from './file-report.ts'
import type { ReadSkill } from './read-skill.ts'
import type { SkillDiagnostic } from './records.ts'
import type { DeclaredTool } from './tools/read-tools.ts'

export interface KeyedReference {
  readonly reference: ReadReference
  /** Unique in its skill: the name, or the path below `references/` when the name is taken. */
  readonly id: string
  /** Unique among all skills: `git.references.smart_commit`. */
  readonly key: string
}

export type KeyedTool = readonly [key: string, tool: DeclaredTool]

/** One warning for all documents of a name. */
export function keyReferences(skill: ReadSkill, diagnostics: SkillDiagnostic[]): KeyedReference[] {
  const byName = new Map<string, KeyedReference[]>()
  const keyed = skill.references.map(reference => {
    const { ref_name } = reference.record
    const same = byName.get(ref_name) ?? []
    const id = same.length === 0 ? ref_name : reference.stem
    const one = { reference, id, key: `${skill.name}.references.${id}` }
    byName.set(ref_name, [...same, one])
    return one
  })
  for (const [name, [first, second, ...more]] of byName) {
    if (!second) continue
    const others = more.length > 0 ? `, and ${more.length} more by their paths as well` : ''
    const message = `\`${first!.reference.record.file_path}\` is \`${name}\`; this document is known as \`${second.id}\`${others}`
    createFileReport(second.reference.record.file_path, diagnostics).warning('reference-collision', message)
  }
  return keyed
}

/** The first command of a name keeps it; a resource or another command of the same name gets a suffix. */
export function keyTools(skill: ReadSkill, diagnostics: SkillDiagnostic[]): KeyedTool[] {
  const taken = new Map<string, DeclaredTool>()
  return skill.tools.map(tool => {
    const name = tool.record.tool_name
    const first = taken.get(name)
    const key = first ? suffixedKey(name, tool, taken) : name
    if (first) {
      const message = `\`${name}\` is the ${first.kind} of \`${first.record.file_path}\` line ${first.place.line}; this ${tool.kind} is known as \`${key}\``
      createFileReport(tool.record.file_path, diagnostics).warning('tool-collision', message, tool.place)
    }
    taken.set(key, tool)
    return [key, tool] as const
  })
}

function suffixedKey(name: string, tool: DeclaredTool, taken: ReadonlyMap<string, DeclaredTool>): string {
  const isResourceOfCommand = tool.kind === 'resource' && taken.get(name)?.kind === 'command'
  if (isResourceOfCommand && !taken.has(`${name}#resource`)) return `${name}#resource`
  let number = 2
  while (taken.has(`${name}#${number}`)) number++
  return `${name}#${number}`
}
