// A skill answers with its content, tools, references and files; `skill.tool` runs one of its functions, `skill:NAME/path` a script.
import type { JsonObject } from '../../../base/index.ts'
import { nameOf } from '../../../item/index.ts'
import { isScript, planSkillCall, planSkillScript, SCRIPT_SCHEMA } from '../../../plan/index.ts'
import { describeSkillCall, hostsOfSkill, readSkill, type SkillFolder } from '../../../skills/index.ts'
import { createPlanContext, type OpenedItem, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { SkillFile } from '../skill-file.ts'
import type { SkillAnswer, ToolAnswer, ToolDryRun, ToolFailure } from './answer.ts'
import { runTool } from './run-tool.ts'

export async function executeSkill(item: OpenedItem): Promise<SkillAnswer> {
  const { metadata, body } = await item.parse()
  const skill = await readSkill(folderOf(item))
  const { body: _body, raw: _raw, ...shown } = metadata
  return {
    status: 'success',
    type: 'skill',
    item_id: item.file.id,
    content: body,
    tools: skill.tools.map(({ record }) => ({
      item_id: `${item.file.id}.${record.tool_name.slice(skill.name.length + 1)}`,
      description: record.description,
      input_schema: JSON.parse(record.input_schema || '{}'),
      annotations: record.annotations,
    })),
    references: skill.references.map(({ record }) => ({
      ref_name: record.ref_name,
      title: record.title,
      path: record.file_path,
    })),
    files: [...item.parts]
      .map(([path, bytes]) => ({
        path,
        size: bytes.length,
        kind: isScript(path) ? ('program' as const) : ('file' as const),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    metadata: shown,
  }
}

export interface SkillRun {
  readonly workspace: Workspace
  readonly timeoutMs: number | null
  readonly dryRun: boolean
  readonly trace: boolean
  /** The caller's parameters, once the schema is known. */
  readonly parameters: (schema: JsonObject) => JsonObject
}

export async function executeSkillTool(
  context: ActionContext,
  { item, toolName }: { readonly item: OpenedItem; readonly toolName: string },
  run: SkillRun,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const described = await describeSkillCall(folderOf(item), toolName)
  const plan = await planSkillCall(
    verifiedSkill(item),
    { ...described, name: `${item.file.id}.${toolName}` },
    run.parameters(described.inputSchema),
    await createPlanContext(run.workspace, run.timeoutMs),
  )
  return { ...(await runTool(context, { ...run, item, plan })), annotations: described.tool.annotations }
}

export async function executeSkillScript(
  context: ActionContext,
  { item, id, path }: SkillFile,
  run: SkillRun,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const plan = await planSkillScript(
    verifiedSkill(item),
    { id, path, files: item.parts, network: await hostsOfSkill(folderOf(item)) },
    run.parameters(SCRIPT_SCHEMA),
    await createPlanContext(run.workspace, run.timeoutMs),
  )
  return runTool(context, { ...run, item, plan })
}

function verifiedSkill({ file, verdict, shadows }: OpenedItem) {
  return { space: file.space, path: file.path, verdict, shadows }
}

function folderOf(item: OpenedItem): SkillFolder {
  return { name: nameOf(item.file.id), path: '.', files: item.parts }
}
