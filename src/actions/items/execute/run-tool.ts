// Running a plan for an action: nothing on a dry run, otherwise run, record, and answer with the evidence.
import {
  AppError,
  cutText,
  escapeHidden,
  type JsonObject,
  printCanonicalJson,
  sha256Hex,
} from '../../../base/index.ts'
import { type RunOutcome, runPlan } from '../../../execute/index.ts'
import { explainPlan, type Plan, printPlan } from '../../../plan/index.ts'
import { appendReceipt } from '../../../user/index.ts'
import { type OpenedItem, openRunner, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { ToolAnswer, ToolDryRun, ToolFailure } from './answer.ts'

/** What a client shows beside a bar. */
const PROGRESS_LENGTH = 200

export interface ToolRun {
  readonly workspace: Workspace
  /** The item that was opened: the tool itself, or the skill that has it. */
  readonly item: OpenedItem
  readonly plan: Plan
  readonly dryRun: boolean
  readonly trace: boolean
}

export async function runTool(
  context: ActionContext,
  run: ToolRun,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const { workspace, plan } = run
  const shown = {
    type: 'tool' as const,
    item_id: plan.itemId,
    chain: plan.chain,
    ...(run.trace && { trace: explainPlan(plan) }),
  }
  if (run.dryRun) {
    return {
      status: 'validation_passed',
      message: 'Tool chain validation passed (dry run)',
      ...shown,
      validated_pairs: plan.validatedPairs,
      parameters: plan.parameters,
      plan: printPlan(plan),
    }
  }
  const runner = await openRunner(workspace)
  const started = context.library.now()
  const outcome = await runPlan(plan, runner, {
    signal: context.signal,
    onProgress: progress => context.onProgress(readProgress(progress)),
  })
  const receipt = await record(run, outcome, started)
  const warnings = [...(receipt.warning === undefined ? [] : [receipt.warning]), ...plan.notes]
  const metadata = {
    duration_ms: outcome.durationMs,
    ...receipt,
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  }
  const { isolation, data } = outcome
  if (outcome.status === 'success') return { status: 'success', ...shown, data, isolation, metadata }
  const { error } = outcome
  return {
    status: 'error',
    error: error.message,
    code: error.code,
    ...((error.hint ?? plan.notes[0]) !== undefined && { hint: error.hint ?? plan.notes[0] }),
    item_type: run.item.file.type,
    ...shown,
    data,
    isolation,
    metadata,
  }
}

/** A run that cannot be recorded has still happened: the answer says so instead of hiding it. */
async function record(
  run: ToolRun,
  outcome: RunOutcome,
  started: Date,
): Promise<{ receipt: string | null; warning?: string }> {
  const { workspace, item, plan } = run
  try {
    const { path } = workspace.library.states.make(workspace.projectPath)
    const receipt = await appendReceipt(path, {
      time: started.toISOString(),
      item_id: plan.itemId,
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

/** A message of a tool ends in the terminal or the log of a client, as one line. */
function readProgress(progress: JsonObject): { message: string; done: number; total?: number } {
  const done = typeof progress.progress === 'number' ? progress.progress : 0
  const message = typeof progress.message === 'string' ? progress.message : String(progress.progress ?? '')
  const shown = cutText(escapeHidden(message, { oneLine: true }), PROGRESS_LENGTH)
  return { message: shown, done, ...(typeof progress.total === 'number' && { total: progress.total }) }
}
