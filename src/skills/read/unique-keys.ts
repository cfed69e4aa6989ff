// Gives documents and tools keys that are unique in their skill. Two of the same name are both kept, under
// keys of their own and with a warning.
import { sha256Hex } from '../../base/index.ts'
import type { ReadReference } from './documents/read-reference.ts'
import { createFileReport } from './file-report.ts'
import { pathFrom, type ReadSkill } from './read-skill.ts'
import type { SkillDiagnostic } from './records.ts'
import { type DeclaredTool, isCallable, ROUTABLE } from './tools/read-tools.ts'

export interface KeyedReference {
  readonly reference: ReadReference
  /** Unique in its skill: the name, or the path below `references/` when the name is taken. */
  readonly id: string
  /** Unique among skills of different names: `git.references.smart_commit`. */
  readonly key: string
  /** Unique among all skills: `team/git.references.smart_commit`. */
  readonly pathKey: string
}

export type SkillTools = Pick<ReadSkill, 'path' | 'tools'>

export interface KeyToolsOptions {
  readonly diagnostics?: SkillDiagnostic[]
  readonly isTaken?: (name: string) => boolean
}

export type KeyedTool = readonly [key: string, tool: DeclaredTool]

/** Gives one warning for all documents of the same name. */
export function keyReferences(skill: ReadSkill, diagnostics: SkillDiagnostic[] = []): KeyedReference[] {
  const byName = new Map<string, KeyedReference[]>()
  const keyed = skill.references.map(reference => {
    const { ref_name } = reference.record
    const same = byName.get(ref_name) ?? []
    const id = same.length === 0 ? ref_name : reference.stem
    const one = {
      reference,
      id,
      key: `${skill.name}.references.${id}`,
      pathKey: `${skill.path}.references.${id}`,
    }
    byName.set(ref_name, [...same, one])
    return one
  })
  for (const [name, [first, second, ...more]] of byName) {
    if (!second) continue
    const others = more.length > 0 ? `, and ${more.length} more as well` : ''
    const path = pathFrom(skill, first!.reference.record.file_path)
    const message = `\`${path}\` also has the \`ref_name\` \`${name}\`; this document keeps it, but a scan lists it as \`${second.id}\`${others}`
    createFileReport(second.reference.record.file_path, diagnostics).warning('reference-collision', message)
  }
  return keyed
}

/**
 * The id of each tool. It is made of the tool's own names, and changes only when a tool of the same name is
 * added or removed. A name that only one tool has is its id. Of several, the only command keeps the name and
 * the only resource is `NAME#resource`. All others are told apart by function (`NAME#FUNCTION`), then by
 * file, and finally by a digest. A name that `isTaken` by something else is never the whole id.
 */
export function toolIds(
  skill: SkillTools,
  isTaken: (name: string) => boolean = () => false,
): Map<DeclaredTool, string> {
  const byName = groupBy(skill.tools, tool => tool.record.tool_name)
  const forms = new Map(
    skill.tools.map(tool => {
      const sameName = byName.get(tool.record.tool_name)!
      return [tool, formsOf(tool, { skill, sameName, isTaken })] as const
    }),
  )
  for (;;) {
    const ids = new Map([...forms].map(([tool, [form]]) => [tool, form!]))
    const same = [...groupBy(skill.tools, tool => ids.get(tool)!).values()].filter(one => one.length > 1)
    const unclear = same.flat().filter(tool => forms.get(tool)!.length > 1)
    if (unclear.length === 0) return ids
    for (const tool of unclear) forms.get(tool)!.shift()
  }
}

export interface SkillItem {
  readonly skill: Pick<ReadSkill, 'name' | 'path' | 'tools'>
  /** Its id as an item. */
  readonly itemId: string
  /** Whether an id belongs to another skill, so that `execute` would take it for that one. */
  readonly isSkill?: ((id: string) => boolean) | undefined
}

/**
 * The ids under which `execute` knows the tools of an item: `team/git.commit`, or `team/git.commit#FUNCTION`
 * when there is a skill with that id.
 */
export function toolItemIds({ skill, itemId, isSkill }: SkillItem): Map<DeclaredTool, string> {
  const ids = toolIds(skill, takenNames({ skill, itemId, isSkill }))
  return new Map([...ids].map(([tool, id]) => [tool, asItem(id, { skill, itemId })]))
}

/** The same for callable tools only. */
export function callableItemIds(item: SkillItem): Map<DeclaredTool, string> {
  return new Map([...toolItemIds(item)].filter(([tool]) => isCallable(tool)))
}

/** Tells which full names of its tools `execute` takes for another skill, or for a part of one. */
export function takenNames({ skill, itemId, isSkill }: SkillItem): (name: string) => boolean {
  if (!isSkill) return () => false
  return name => beginnings(asItem(name, { skill, itemId }), itemId.length + 1).some(isSkill)
}

function asItem(id: string, { skill, itemId }: SkillItem): string {
  return `${itemId}.${id.slice(skill.name.length + 1)}`
}

/** An id, and what comes before each of its dots from an offset on: `a.b.c` and `a.b`. */
function beginnings(id: string, from: number): string[] {
  const found = [id]
  for (let dot = id.indexOf('.', from); dot !== -1; dot = id.indexOf('.', dot + 1))
    found.push(id.slice(0, dot))
  return found
}

interface NamedTools {
  readonly skill: SkillTools
  readonly sameName: readonly DeclaredTool[]
  isTaken(name: string): boolean
}

/** The possible ids of a tool, shortest first. No other tool has the last one. */
function formsOf(tool: DeclaredTool, { skill, sameName, isTaken }: NamedTools): string[] {
  const { tool_name, skill_name, function_name, file_path } = tool.record
  const name = `${skill_name}.${callableName(tool_name.slice(skill_name.length + 1), function_name)}`
  const sameKind = sameName.filter(one => one.kind === tool.kind)
  const path = pathFrom(skill, file_path)
  const stem = path.replace(/^scripts\//, '').replace(/\.py$/, '')
  const sameFile = sameName.filter(
    one => one.record.file_path === file_path && one.record.function_name === function_name,
  )
  const place = sameFile.length > 1 ? `-${sameFile.indexOf(tool) + 1}` : ''
  const file = `${name}#${asWord(`${stem}-${function_name}`)}${place}`
  const digest = sha256Hex(JSON.stringify([path, function_name, tool_name, place])).slice(0, 8)
  const isAlone = sameKind.length === 1 && name === tool_name && !isTaken(name)
  return [
    ...(isAlone && (sameName.length === 1 || tool.kind === 'command') ? [name] : []),
    ...(isAlone && tool.kind === 'resource' ? [`${name}#resource`] : []),
    `${name}#${asWord(function_name)}`,
    file,
    `${file}-${digest}`,
  ]
}

/** A command's name as an id may contain it. Characters that are not allowed there are replaced. */
function callableName(command: string, functionName: string): string {
  if (ROUTABLE.test(command)) return command
  const written = command.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '')
  return written.slice(0, 100) || asWord(functionName)
}

function asWord(text: string): string {
  return text.replace(/[^\w-]/g, '-')
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

/** Warns about every tool but the first of each name, and about tools whose name is taken. */
export function keyTools(
  skill: ReadSkill,
  { diagnostics = [], isTaken = () => false }: KeyToolsOptions = {},
): KeyedTool[] {
  const ids = toolIds(skill, isTaken)
  const firsts = new Map<string, DeclaredTool>()
  return skill.tools.map(tool => {
    const { tool_name: name, file_path } = tool.record
    const first = firsts.get(name)
    const key = ids.get(tool)!
    const other = first
      ? `the ${first.kind} of \`${pathFrom(skill, first.record.file_path)}\` line ${first.place.line}`
      : isTaken(name) && 'a skill, or a tool of another one'
    if (other) {
      const known = key.startsWith(`${name}#`)
        ? `has \`${key.slice(name.length)}\` after it`
        : `is known as \`${key}\``
      const message = `\`${name}\` is also ${other}; this ${tool.kind} ${known}`
      createFileReport(file_path, diagnostics).warning('tool-collision', message, tool.place)
    }
    if (!first) firsts.set(name, tool)
    return [key, tool] as const
  })
}
