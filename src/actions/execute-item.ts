// Using one item: a tool is planned, run and recorded; the other types answer with their text.
import {
  AppError,
  isRecord,
  type JsonObject,
  type JsonValue,
  printCanonicalJson,
  sha256Hex,
} from '../base/index.ts'
import {
  convertParameter,
  explainPlan,
  fillDirections,
  inputSchema,
  type Plan,
  planTool,
} from '../chain/index.ts'
import { type RunOutcome, runPlan } from '../execute/index.ts'
import { type ItemType, parseRef } from '../item/index.ts'
import { appendReceipt } from '../store/index.ts'
import {
  createPlanContext,
  joinRef,
  type OpenedItem,
  openRunner,
  verifiedTool,
  type Workspace,
} from '../workspace/index.ts'
import type { ActionContext } from './action.ts'

export interface ExecuteInput {
  readonly item_id: string
  readonly item_type?: ItemType
  readonly project_path: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** From the command line: texts, converted by the schema. */
  readonly param?: Readonly<Record<string, unknown>>
  readonly dry_run: boolean
  /** Seconds. */
  readonly timeout?: number
  readonly trace: boolean
}

export async function executeItem(context: ActionContext, input: ExecuteInput): Promise<object> {
  const workspace = await context.library.open(input.project_path)
  const item = workspace.open(joinRef(parseRef(input.item_id), input.item_type, undefined))
  return use(context, workspace, item, input)
}

function use(
  context: ActionContext,
  workspace: Workspace,
  item: OpenedItem,
  input: ExecuteInput,
): Promise<object> {
  switch (item.file.type) {
    case 'tool':
      return executeTool(context, workspace, item, input)
    case 'directive':
      return executeDirective(item, input)
    case 'knowledge':
      return executeKnowledge(item)
    case 'skill':
      return executeSkill(item)
    case 'config':
      throw new Error('unreachable: settings are never executed')
  }
}

async function executeTool(
  context: ActionContext,
  workspace: Workspace,
  item: OpenedItem,
  input: ExecuteInput,
): Promise<object> {
  const tool = await verifiedTool(item)
  const schema = isRecord(tool.metadata.config_schema)
    ? (tool.metadata.config_schema as JsonObject)
    : undefined
  const parameters = joinParameters(input, schema)
  const plan = await planTool(
    tool,
    parameters,
    await createPlanContext(workspace, milliseconds(input.timeout)),
  )
  const shown = {
    type: 'tool',
    item_id: item.file.id,
    chain: plan.chain,
    ...(input.trace && { trace: explainPlan(plan) }),
  }
  if (input.dry_run) {
    return {
      status: 'validation_passed',
      message: 'Tool chain validation passed (dry run)',
      ...shown,
      validated_pairs: plan.validatedPairs,
      parameters: plan.parameters,
    }
  }
  const runner = await openRunner(workspace)
  const started = context.library.now()
  const outcome = await runPlan(plan, runner, {
    signal: context.signal,
    onProgress: progress => context.onProgress(readProgress(progress)),
  })
  const receipt = await record(workspace, item, plan, outcome, started)
  const metadata = { duration_ms: outcome.durationMs, ...receipt }
  if (outcome.status === 'success') {
    return { status: 'success', ...shown, data: outcome.data, isolation: outcome.isolation, metadata }
  }
  const { error } = outcome
  return {
    status: 'error',
    error: error.message,
    code: error.code,
    ...(error.hint !== undefined && { hint: error.hint }),
    item_type: 'tool',
    ...shown,
    data: outcome.data,
    isolation: outcome.isolation,
    metadata,
  }
}

/** A run that cannot be recorded has still happened: the answer says so instead of hiding it. */
async function record(
  workspace: Workspace,
  item: OpenedItem,
  plan: Plan,
  outcome: RunOutcome,
  started: Date,
): Promise<{ receipt: string | null; warning?: string }> {
  try {
    const receipt = await appendReceipt(workspace.projectPath, {
      time: started.toISOString(),
      item_id: item.file.id,
      item_type: item.file.type,
      space: item.file.space,
      chain: plan.elements.map(element => ({ item_id: element.id, digest: element.digest })),
      parameters: sha256Hex(printCanonicalJson(plan.parameters)),
      signer: item.verdict.signer,
      isolation: outcome.isolation,
      duration_ms: Math.round(outcome.durationMs),
      outcome: outcome.status === 'success' ? 'success' : outcome.error.code,
    })
    return { receipt: receipt.hash }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { receipt: null, warning: `the run was not recorded: ${thrown.message}` }
  }
}

function readProgress(progress: JsonObject): { message: string; done: number; total?: number } {
  const done = typeof progress.progress === 'number' ? progress.progress : 0
  const message = typeof progress.message === 'string' ? progress.message : String(progress.progress ?? '')
  return { message, done, ...(typeof progress.total === 'number' && { total: progress.total }) }
}

async function executeDirective(item: OpenedItem, input: ExecuteInput): Promise<object> {
  const parsed = await item.parse()
  const { inputs, your_directions } = fillDirections(
    parsed.metadata,
    parsed.body,
    joinParameters(input, inputSchema(parsed.metadata)),
  )
  const head = { type: 'directive', item_id: item.file.id }
  if (input.dry_run) {
    return { status: 'validation_passed', message: 'Directive validation passed (dry run)', ...head, inputs }
  }
  return { status: 'success', ...head, your_directions, inputs, metadata: shortMetadata(parsed.metadata) }
}

async function executeKnowledge(item: OpenedItem): Promise<object> {
  const { metadata, body } = await item.parse()
  const content = body === '' ? new TextDecoder().decode(item.bytes) : body
  return {
    status: 'success',
    type: 'knowledge',
    item_id: item.file.id,
    content,
    metadata: shortMetadata(metadata),
  }
}

async function executeSkill(item: OpenedItem): Promise<object> {
  const { metadata, body } = await item.parse()
  return {
    status: 'success',
    type: 'skill',
    item_id: item.file.id,
    content: body,
    tools: [],
    references: [...item.parts.keys()].filter(path => path.startsWith('references/')),
    metadata: shortMetadata(metadata),
  }
}

/** What was read, without the texts that the answer carries elsewhere. */
function shortMetadata(metadata: Readonly<Record<string, JsonValue>>): object {
  const { body: _body, raw: _raw, content: _content, ...rest } = metadata
  return rest
}

function joinParameters(input: ExecuteInput, schema: JsonObject | undefined): JsonObject {
  // Parameters come from JSON, on every surface.
  const parameters = { ...input.parameters } as JsonObject
  for (const [name, text] of Object.entries(input.param ?? {})) {
    parameters[name] = convertParameter(schema, name, String(text))
  }
  return parameters
}

function milliseconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 1000)
}
