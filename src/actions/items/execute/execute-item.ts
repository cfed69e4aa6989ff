// Uses one item: a tool is planned and run; the other types answer with their text.
import { AppError, isRecord, type JsonObject, type JsonValue } from '../../../base/index.ts'
import { parseRef } from '../../../item/index.ts'
import { withoutSignature } from '../../../parse/index.ts'
import {
  convertParameter,
  fillDirections,
  inputSchema,
  type PlanContext,
  planTool,
  readParameter,
} from '../../../plan/index.ts'
import {
  createPlanContext,
  type FindRequest,
  joinRef,
  type OpenedItem,
  requirePermission,
  verifiedTool,
  type Workspace,
} from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { finishUse } from '../../definition/finish-use.ts'
import { bringSkillOf, findSkillFile, hintAtSkillFile, openSkillFile } from '../skill-file.ts'
import { openSkillOfTool } from '../skill-function.ts'
import type { DirectiveAnswer, DirectiveDryRun, ExecuteAnswer, KnowledgeAnswer } from './answer.ts'
import { executeSkill, executeSkillScript, executeSkillTool, type SkillRun } from './execute-skill.ts'
import type { EXECUTE_FIELDS } from './fields.ts'
import { fitBody, fitDirections } from './fit-text.ts'
import { runTool } from './run-tool.ts'

type Input = InputOf<typeof EXECUTE_FIELDS>

export async function executeItem(context: ActionContext, input: Input): Promise<ExecuteAnswer> {
  requirePermission(context.library, 'execute')
  const workspace = await context.library.open(input.project_path)
  const run: SkillRun = {
    workspace,
    timeoutMs: milliseconds(input.timeout),
    dryRun: input.dry_run,
    trace: input.trace,
    parameters: (schema, planContext) => readParameters(input, schema, planContext),
  }
  await bringSkillOf(workspace, input)
  const script = findSkillFile(workspace, input)
  if (script !== undefined)
    return executeSkillScript(context, await openSkillFile(workspace, script, 'run'), run)
  // `SKILL.TOOL#WHICH` names one of several tools with the same name.
  const [, reference = '', which = '', space = ''] = /^([^#]*)(#[\w-]+)?(@\w+)?$/.exec(input.item_id) ?? []
  const request = joinRef(parseRef(which ? reference + space : input.item_id), input.item_type, undefined)
  const { item, toolName } = await openItemOrSkill(workspace, request, which).catch(thrown => {
    throw hintAtSkillFile(workspace, input, thrown)
  })
  if (toolName !== undefined) return executeSkillTool(context, { item, toolName }, run)
  const isSkill = (id: string) => workspace.has({ type: 'skill', id })
  switch (item.file.type) {
    case 'tool':
      return executeTool(context, workspace, item, input)
    case 'directive':
      return { ...(await executeDirective(context, workspace, item, input)), ...(await finishUse(workspace)) }
    case 'knowledge':
      return { ...(await executeKnowledge(context, item, input)), ...(await finishUse(workspace)) }
    case 'skill':
      return {
        ...(await executeSkill(item, {
          isSpaceNamed: request.space !== undefined,
          isSkill,
          hasParameters: Object.keys(joinParameters(input, typedTexts(input))).length > 0,
          caller: context.caller,
        })),
        ...(await finishUse(workspace)),
      }
    case 'config':
      throw new Error('unreachable: settings are never executed')
  }
}

/** An item of exactly this id, or else a tool of a skill. With `which`, only a tool of a skill. */
async function openItemOrSkill(
  workspace: Workspace,
  request: FindRequest,
  which: string,
): Promise<{ item: OpenedItem; toolName?: string }> {
  if (which) {
    const found = await openSkillOfTool(workspace, request, which)
    if (found) return found
    throw new AppError('ITEM_NOT_FOUND', `no tool of a skill is called \`${request.id}${which}\``)
  }
  try {
    return { item: await workspace.open(request) }
  } catch (thrown) {
    const isMissing = thrown instanceof AppError && thrown.code === 'ITEM_NOT_FOUND'
    const found = isMissing ? await openSkillOfTool(workspace, request) : undefined
    if (!found) throw thrown
    return found
  }
}

async function executeTool(
  context: ActionContext,
  workspace: Workspace,
  item: OpenedItem,
  input: Input,
): Promise<ExecuteAnswer> {
  const tool = await verifiedTool(item)
  const declared = tool.metadata.config_schema
  // Metadata holds only JSON values.
  const schema = isRecord(declared) ? (declared as JsonObject) : undefined
  const planContext = await createPlanContext(
    workspace,
    milliseconds(input.timeout),
    context.toolActions?.read,
  )
  const plan = await planTool(tool, await readParameters(input, schema, planContext), planContext)
  return runTool(context, { workspace, item, plan, dryRun: input.dry_run, trace: input.trace })
}

async function executeDirective(
  context: ActionContext,
  workspace: Workspace,
  item: OpenedItem,
  input: Input,
): Promise<DirectiveAnswer | DirectiveDryRun> {
  const parsed = await item.parse()
  const schema = inputSchema(parsed.metadata)
  const typed = typedTexts(input).map(([name, text]) => [name, convertParameter(schema, name, text)] as const)
  const { inputs, your_directions } = fillDirections(
    parsed.metadata,
    parsed.body,
    joinParameters(input, typed),
  )
  const head = { type: 'directive', item_id: item.file.id } as const
  if (input.dry_run) {
    return { status: 'validation_passed', message: 'Directive validation passed (dry run)', ...head, inputs }
  }
  const { text, page } = fitDirections(your_directions, context, workspace)
  return {
    status: 'success',
    ...head,
    your_directions: text,
    ...page,
    inputs,
    metadata: shortMetadata(parsed.metadata),
  }
}

async function executeKnowledge(
  context: ActionContext,
  item: OpenedItem,
  { item_id, item_type }: Input,
): Promise<KnowledgeAnswer> {
  const { metadata, body } = await item.parse()
  // A file of YAML alone has no body: its content is the whole text without the signature.
  const content = body === '' ? withoutSignature(new TextDecoder().decode(item.bytes)) : body
  const asked = { item_id, ...(item_type && { item_type }) }
  const { text, page } = fitBody(content, context, item, asked)
  return {
    status: 'success',
    type: 'knowledge',
    item_id: item.file.id,
    content: text,
    ...page,
    metadata: shortMetadata(metadata),
  }
}

/** Metadata that the answer gives elsewhere: the text, with the actions of a directive, and the inputs. */
const TOLD = new Set(['body', 'raw', 'content', 'actions', 'inputs', 'parameters'])

/** The other metadata, without empty values. */
function shortMetadata(metadata: Readonly<Record<string, JsonValue>>): JsonObject {
  const isEmpty = (value: JsonValue) => ['{}', '[]', '""', 'null'].includes(JSON.stringify(value))
  return Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => !TOLD.has(name) && !isEmpty(value)),
  )
}

async function readParameters(
  input: Input,
  schema: JsonObject | undefined,
  context: PlanContext,
): Promise<JsonObject> {
  const read = async ([name, text]: readonly [string, string]) =>
    [name, await readParameter(schema, name, text, context)] as const
  return joinParameters(input, await Promise.all(typedTexts(input).map(read)))
}

function typedTexts({ param = {} }: Input): (readonly [name: string, text: string])[] {
  return Object.entries(param).map(([name, text]) => [name, String(text)])
}

function joinParameters(input: Input, typed: readonly (readonly [string, JsonValue])[]): JsonObject {
  // Parameters come from JSON, on every surface.
  const parameters = input.parameters as JsonObject
  // Made from entries, so that `__proto__` is a name like any other.
  return Object.fromEntries([...Object.entries(parameters), ...typed])
}

function milliseconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 1000)
}
