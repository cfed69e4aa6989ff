// A skill answers with its content, its tools and its references; `skill.tool` runs one of its functions.
import type { JsonObject } from '../../../base/index.ts'
import { nameOf } from '../../../item/index.ts'
import { planSkillCall } from '../../../plan/index.ts'
import { describeSkillCall, readSkill, type SkillFolder } from '../../../skills/index.ts'
import { createPlanContext, type OpenedItem, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
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
    files: [...item.parts.keys()].sort(),
    metadata: shown,
  }
}

export interface SkillToolCall {
  readonly workspace: Workspace
  readonly item: OpenedItem
  readonly toolName: string
  readonly timeoutMs: number | null
  readonly dryRun: boolean
  readonly trace: boolean
  /** The caller's parameters, once the schema is known. */
  readonly parameters: (schema: JsonObject) => JsonObject
}

export async function executeSkillTool(
  context: ActionContext,
  call: SkillToolCall,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const { workspace, item, toolName, dryRun, trace } = call
  const described = await describeSkillCall(folderOf(item), toolName)
  const { file, verdict, shadows } = item
  const plan = await planSkillCall(
    { space: file.space, path: file.path, verdict, shadows },
    { ...described, name: `${file.id}.${toolName}` },
    call.parameters(described.inputSchema),
    await createPlanContext(workspace, call.timeoutMs),
  )
  const answer = await runTool(context, { workspace, item, plan, dryRun, trace })
  return { ...answer, annotations: described.tool.annotations }
}

function folderOf(item: OpenedItem): SkillFolder {
  return { name: nameOf(item.file.id), path: '.', files: item.parts }
}
