// A skill answers with its content, tools, references and files. `skill.tool` runs one of its functions,
// `skill:NAME/path` a script.
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError, type Caller, isText, type JsonObject, printHint } from '../../../base/index.ts'
import { printSkillFolder, printSkillPath, type SkillName } from '../../../item/index.ts'
import {
  isOtherPython,
  isScript,
  type Plan,
  type PlanContext,
  planSkillCall,
  planSkillScript,
  SCRIPT_SCHEMA,
} from '../../../plan/index.ts'
import {
  callableItemIds,
  describeSkillCall,
  hostsOfSkill,
  readScriptNeeds,
  readSkill,
  resolveLinks,
} from '../../../skills/index.ts'
import { createPlanContext, type OpenedItem, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { findLongBody, readOn } from '../long-text.ts'
import type { SkillFile } from '../skill-file.ts'
import { folderOf } from '../skill-function.ts'
import type { SkillAnswer, ToolAnswer, ToolDryRun, ToolFailure } from './answer.ts'
import { nameMissing } from './missing-module.ts'
import { runTool } from './run-tool.ts'
import { shortenLists } from './skill-lists.ts'

interface SkillRequest {
  /**
   * Whether the caller named the space. Then the names in the answer do too, as another space may have a
   * skill of this id.
   */
  readonly isSpaceNamed: boolean
  readonly isSkill: (id: string) => boolean
  /** Parameters that a tool or a script was meant to get. */
  readonly hasParameters: boolean
  readonly caller: Caller
}

const UNUSED_PARAMETERS =
  'the parameters were not used: give them to one of the `tools`, or to a program among the `files` (`args`, `stdin`)'

export async function executeSkill(
  item: OpenedItem,
  { isSpaceNamed, isSkill, hasParameters, caller }: SkillRequest,
): Promise<SkillAnswer> {
  const { id, space } = item.file
  const name = { id, space, isSpaceNamed }
  const { metadata, body } = await item.parse()
  const skill = await readSkill(folderOf(item))
  const { body: _body, raw: _raw, ...shown } = metadata
  const long = findLongBody(body, item.bytes)
  const content = resolveLinks(long?.beginning ?? body, name, path => item.parts.has(path))
  const tools = [...callableItemIds({ skill, itemId: id, isSkill })].map(([{ record }, toolId]) => ({
    item_id: isSpaceNamed ? `${toolId}@${space}` : toolId,
    description: record.description,
    input_schema: JSON.parse(record.input_schema || '{}'),
    annotations: record.annotations,
  }))
  const { hint: listed, ...lists } = shortenLists(
    { name: printSkillFolder(name), content, caller },
    { tools, ...listParts(item, name, skill) },
  )
  const readingOn =
    long && printHint(readOn({ item_id: printSkillPath(name, basename(item.file.path)) }, long), caller)
  const unused = hasParameters ? UNUSED_PARAMETERS : undefined
  const hints = [unused, readingOn, listed].filter(one => one !== undefined)
  return {
    status: 'success',
    type: 'skill',
    item_id: id,
    content,
    ...(long && { size: long.size, next_offset: long.next_offset }),
    ...lists,
    ...(hints.length > 0 && { hint: hints.join('; ') }),
    metadata: shown,
  }
}

function listParts(
  { parts }: OpenedItem,
  name: SkillName,
  { references }: Awaited<ReturnType<typeof readSkill>>,
) {
  return {
    references: references.map(({ record }) => ({
      item_id: printSkillPath(name, record.file_path),
      ref_name: record.ref_name,
      title: record.title,
      path: record.file_path,
    })),
    files: [...parts]
      .map(([path, bytes]) => ({
        item_id: printSkillPath(name, path),
        path,
        size: bytes.length,
        kind: isText(bytes) ? ('text' as const) : ('binary' as const),
        program: isScript(path, bytes),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

export interface SkillRun {
  readonly workspace: Workspace
  readonly timeoutMs: number | null
  readonly dryRun: boolean
  readonly trace: boolean
  /** Reads the caller's parameters, once the schema is known. */
  readonly parameters: (schema: JsonObject, context: PlanContext) => Promise<JsonObject>
}

export async function executeSkillTool(
  context: ActionContext,
  { item, toolName }: { readonly item: OpenedItem; readonly toolName: string },
  run: SkillRun,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const described = await describeSkillCall(folderOf(item), toolName)
  const planContext = await createPlanContext(run.workspace, run.timeoutMs)
  const plan = await planSkillCall(
    verifiedSkill(item),
    { ...described, name: `${item.file.id}.${toolName}`, skillId: item.file.id },
    await run.parameters(described.inputSchema, planContext),
    planContext,
  )
  const answer = await nameMissing(await runTool(context, { ...run, item, plan }), { item, needed: [] })
  return { ...answer, annotations: described.tool.annotations }
}

export async function executeSkillScript(
  context: ActionContext,
  { item, id, path }: SkillFile,
  run: SkillRun,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const needs = await readScriptNeeds(item.parts.get(path)!)
  const { dependencies, fault } = needs
  const planContext = await createPlanContext(run.workspace, run.timeoutMs)
  const plan = await planSkillScript(
    verifiedSkill(item),
    { id, path, files: item.parts, network: await hostsOfSkill(folderOf(item)), dependencies },
    await run.parameters(SCRIPT_SCHEMA, planContext),
    planContext,
  )
  checkPython(plan, id, needs.python)
  const notes =
    fault === undefined ? [] : [`what \`${id}\` needs (\`# /// script\`) cannot be read: ${fault}`]
  const answer = await runTool(context, { ...run, item, plan: { ...plan, notes: [...plan.notes, ...notes] } })
  return nameMissing(answer, { item, path, needed: dependencies })
}

/**
 * Takes the version from the name that Python has on disk, `python3.11`. The script is run if the name says
 * nothing, or with uv, which checks the version itself.
 */
function checkPython({ invocation }: Plan, id: string, wanted: string | undefined): void {
  if (wanted === undefined || invocation.kind !== 'process' || invocation.packageOwner !== undefined) return
  const { command } = invocation
  const [, major, minor] = /[\\/]python(\d+)\.(\d+)$/.exec(realpathSync.native(command)) ?? []
  if (minor === undefined || !isOtherPython(wanted, [Number(major), Number(minor)])) return
  throw new AppError(
    'INTERPRETER_MISSING',
    `expected Python \`${wanted}\` for \`${id}\`, got ${major}.${minor} (\`${command}\`)`,
    { hint: 'install such a Python and have it first on the path' },
  )
}

function verifiedSkill({ file, verdict, shadows }: OpenedItem) {
  return { space: file.space, path: file.path, verdict, shadows }
}
