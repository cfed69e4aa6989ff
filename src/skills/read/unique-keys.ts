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

export function keyReferences(skill: ReadSkill, diagnostics: SkillDiagnostic[]): KeyedReference[] {
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
