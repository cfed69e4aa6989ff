// A skill answers with its content, tools, references and files; `skill.tool` runs one of its functions, `skill:NAME/path` a script.
import { isUtf8 } from 'node:buffer'
import type { JsonObject, JsonValue } from '../../../base/index.ts'
import { nameOf } from '../../../item/index.ts'
import { isScript, planSkillCall, planSkillScript, SCRIPT_SCHEMA } from '../../../plan/index.ts'
import {
  describeSkillCall,
  hostsOfSkill,
  readSkill,
  resolveLinks,
  type SkillFolder,
  scriptDependencies,
  toolIds,
} from '../../../skills/index.ts'
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
    content: resolveLinks(body, item.file.id, path => item.parts.has(path)),
    tools: [...toolIds(skill.tools)].map(([{ record }, id]) => ({
      item_id: `${item.file.id}.${id.slice(skill.name.length + 1)}`,
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
        item_id: `skill:${item.file.id}/${path}`,
        path,
        size: bytes.length,
        kind: isUtf8(bytes) && !bytes.includes(0) ? ('text' as const) : ('binary' as const),
        program: isScript(path, bytes),
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
  const dependencies = await scriptDependencies(item.parts.get(path)!)
  const plan = await planSkillScript(
    verifiedSkill(item),
    { id, path, files: item.parts, network: await hostsOfSkill(folderOf(item)), dependencies },
    run.parameters(SCRIPT_SCHEMA),
    await createPlanContext(run.workspace, run.timeoutMs),
  )
  return nameMissing(await runTool(context, { ...run, item, plan }), dependencies)
}

/** A script that lacks a module often says itself what it needs. */
function nameMissing<Answer extends { readonly status: string; readonly data?: JsonValue }>(
  answer: Answer,
  needed: readonly string[],
): Answer {
  if (needed.length === 0 || answer.status !== 'error') return answer
  if (!/ModuleNotFoundError|ImportError/.test(JSON.stringify(answer.data ?? ''))) return answer
  const listed = needed.map(one => `'${one}'`).join(' ')
  return {
    ...answer,
    hint: `the script needs ${needed.join(', ')}: install them with \`pip install ${listed}\`, or let uv supply them with \`script_packages = "uv"\` below \`[execute]\` in the user's rye.toml`,
  }
}

function verifiedSkill({ file, verdict, shadows }: OpenedItem) {
  return { space: file.space, path: file.path, verdict, shadows }
}

function folderOf(item: OpenedItem): SkillFolder {
  return { name: nameOf(item.file.id), path: '.', files: item.parts }
}
