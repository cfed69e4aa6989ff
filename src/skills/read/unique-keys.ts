// Keys of documents and tools, unique in their skill. Two of the same name are both kept, under keys of their own and with a warning.
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
export function keyReferences(skill: ReadSkill, diagnostics: SkillDiagnostic[] = []): KeyedReference[] {
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

/**
 * The id of each tool, which depends on its own names alone: it does not move when another file comes, goes or is renamed. A name
 * that one tool has is its id. Of several, the only command keeps it and the only resource is `NAME#resource`; all others
 * are told apart by their functions, `NAME#FUNCTION`, and by their files where these are the same, too.
 */
export function toolIds(tools: readonly DeclaredTool[]): Map<DeclaredTool, string> {
  const byName = new Map<string, DeclaredTool[]>()
  for (const tool of tools) {
    const name = tool.record.tool_name
    byName.set(name, [...(byName.get(name) ?? []), tool])
  }
  return new Map(tools.map(tool => [tool, idOf(tool, byName.get(tool.record.tool_name)!)]))
}

function idOf(tool: DeclaredTool, sameName: readonly DeclaredTool[]): string {
  const { tool_name, function_name, file_path } = tool.record
  const sameKind = sameName.filter(one => one.kind === tool.kind)
  if (sameKind.length === 1) {
    if (tool.kind === 'command' || sameName.length === 1) return tool_name
    return `${tool_name}#resource`
  }
  const sameFunction = sameName.filter(one => one.record.function_name === function_name)
  if (sameFunction.length === 1) return `${tool_name}#${function_name}`
  const stem = file_path
    .replace(/^.*?scripts\//, '')
    .replace(/\.py$/, '')
    .replace(/[^\w-]/g, '-')
  const sameFile = sameFunction.filter(one => one.record.file_path === file_path)
  const place = sameFile.length > 1 ? `-${sameFile.indexOf(tool) + 1}` : ''
  return `${tool_name}#${stem}-${function_name}${place}`
}

/** Warns of every tool but the first of a name. */
export function keyTools(skill: ReadSkill, diagnostics: SkillDiagnostic[] = []): KeyedTool[] {
  const ids = toolIds(skill.tools)
  const firsts = new Map<string, DeclaredTool>()
  return skill.tools.map(tool => {
    const name = tool.record.tool_name
    const first = firsts.get(name)
    const key = ids.get(tool)!
    if (first) {
      const message = `\`${name}\` is the ${first.kind} of \`${first.record.file_path}\` line ${first.place.line}, too; this ${tool.kind} is known as \`${key}\``
      createFileReport(tool.record.file_path, diagnostics).warning('tool-collision', message, tool.place)
    } else firsts.set(name, tool)
    return [key, tool] as const
  })
}
