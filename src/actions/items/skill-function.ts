// One function of a skill: `NAME.FUNCTION`. It is not an item of its own, but answers call it a tool, so it
// can be named like one.
import { AppError, type Hint } from '../../base/index.ts'
import { nameOf, printSkillPath, type SignedType } from '../../item/index.ts'
import { describeSkillCall, type SkillFolder } from '../../skills/index.ts'
import type { FindRequest, OpenedItem, Workspace } from '../../workspace/index.ts'

export interface SkillFunction {
  /** The skill, verified. */
  readonly item: OpenedItem
  /** Without the name of the skill. */
  readonly toolName: string
}

/**
 * Splits an id at a dot into a skill and its tool. Both names may contain dots: the longest name of a skill
 * that has the tool wins.
 */
export async function openSkillOfTool(
  workspace: Workspace,
  request: FindRequest,
  which = '',
): Promise<SkillFunction | undefined> {
  if (!isFunctionType(request.type)) return undefined
  let longest: SkillFunction | undefined
  const dots = dotsIn(request.id)
  for (const [index, dot] of dots.entries()) {
    const skill: FindRequest = { ...request, type: 'skill', id: request.id.slice(0, dot) }
    await workspace.bring(skill)
    if (!workspace.has(skill)) continue
    const item = await workspace.open(skill)
    const found: SkillFunction = { item, toolName: `${request.id.slice(dot + 1)}${which}` }
    if (index === dots.length - 1 && !longest) return found
    if (await hasTool(item, found.toolName)) return found
    longest ??= found
  }
  return longest
}

/** The positions of the dots in the name of an id, last first. */
function dotsIn(id: string): number[] {
  const found: number[] = []
  for (let dot = id.lastIndexOf('.'); dot > id.lastIndexOf('/') + 1; dot = id.lastIndexOf('.', dot - 1))
    found.push(dot)
  return found
}

async function hasTool(item: OpenedItem, toolName: string): Promise<boolean> {
  try {
    await describeSkillCall(folderOf(item), toolName)
    return true
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.code !== 'ITEM_NOT_FOUND'
  }
}

function isFunctionType(type: SignedType | undefined): boolean {
  return type === undefined || type === 'skill' || type === 'tool'
}

/**
 * What is not found may be a function of a skill, which is run and not read: the same failure, with a hint.
 */
export async function hintAtSkillFunction(
  workspace: Workspace,
  request: FindRequest,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof AppError) || thrown.code !== 'ITEM_NOT_FOUND') return thrown
  const hint = await describeFunction(workspace, request)
  if (hint === undefined) return thrown
  const { code, message, details } = thrown
  return new AppError(code, message, { hint, details })
}

async function describeFunction(workspace: Workspace, request: FindRequest): Promise<Hint | undefined> {
  try {
    const found = await openSkillOfTool(workspace, request)
    if (!found) return undefined
    const { item, toolName } = found
    const { tool, inputSchema } = await describeSkillCall(folderOf(item), toolName)
    const isSpaceNamed = request.space !== undefined
    const file = printSkillPath({ ...item.file, isSpaceNamed }, tool.file_path)
    // With its type, since another item may have the same name.
    const id = `skill:${request.id}${isSpaceNamed ? `@${item.file.space}` : ''}`
    const where = `it is a function of the skill \`${item.file.id}\`, in \`${file}\``
    const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
    const needs = required.length > 0 ? ` and the parameters ${required.join(', ')}` : ''
    const flags = required.map(name => ` --param ${name}=...`).join('')
    return {
      agent: `${where}: load that file, or run \`${id}\` with \`execute\`${needs}`,
      person: `${where}: load that file, or run the function with \`rye execute ${id}${flags}\``,
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return undefined // no hint about a skill that may not be used
  }
}

export function folderOf(item: OpenedItem): SkillFolder {
  return { name: nameOf(item.file.id), path: '.', files: item.parts }
}
