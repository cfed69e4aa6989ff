// Runs a plan, records the run, and answers with the evidence. On a dry run nothing is started.
import {
  AppError,
  callOf,
  cutText,
  escapeHidden,
  type Hint,
  hintWith,
  type JsonObject,
  type JsonValue,
  printCanonicalJson,
  printHint,
  sha256Hex,
} from '../../../base/index.ts'
import { type RunOutcome, runPlan } from '../../../execute/index.ts'
import { categoryOf } from '../../../item/index.ts'
import { explainPlan, type Plan, printPlan } from '../../../plan/index.ts'
import { appendReceipt } from '../../../user/index.ts'
import { type OpenedItem, openRunner, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { sliceText } from '../../definition/slice-text.ts'
import type { ToolAnswer, ToolDryRun, ToolFailure } from './answer.ts'
import { keepText } from './keep-text.ts'
import { permitPlan } from './permit-plan.ts'
import { findLongData } from './shorten-data.ts'

/** Characters of a progress message, which a client shows beside a bar. */
const PROGRESS_LENGTH = 200
const CLIENT_LENGTH = 60

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
  asked: ToolRun,
): Promise<ToolAnswer | ToolFailure | ToolDryRun> {
  const run = { ...asked, plan: await permitPlan(context.library, asked.plan) }
  const { workspace, plan } = run
  const named = { type: 'tool' as const, item_id: plan.itemId }
  // Before the tool runs, so that a run that ends this process counts too.
  const used = await workspace.memory.finish()
  const traced = run.trace ? { trace: explainPlan(plan) } : {}
  if (run.dryRun) {
    return {
      status: 'validation_passed',
      message: 'Tool chain validation passed (dry run)',
      ...named,
      chain: plan.chain,
      ...traced,
      validated_pairs: plan.validatedPairs,
      parameters: plan.parameters,
      plan: printPlan(plan),
      ...(used.length > 0 && { warning: used.join('; ') }),
    }
  }
  const runner = await openRunner(workspace)
  const started = context.library.now()
  const outcome = await runPlan(plan, runner, {
    signal: context.signal,
    onProgress: progress => context.onProgress(readProgress(progress)),
    onOutput: context.onOutput,
    callAction: ({ action, input }, signal) => context.toolActions!.run(action, input, signal),
  })
  const { receipt, problem } = await record(context, run, { outcome, started })
  const { data, lost } = shorten(workspace, outcome.data)
  const warnings = [...used, problem, lost, outcome.note, ...plan.notes].filter(text => text !== undefined)
  const result = {
    ...named,
    data,
    duration_ms: outcome.durationMs,
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  }
  const { isolation, refused = [] } = outcome
  const refusedHosts = refused.length > 0 && { refused_hosts: refused.map(({ host }) => host) }
  const evidence = { chain: plan.chain, isolation, ...refusedHosts, receipt }
  if (outcome.status === 'success') {
    if (!run.trace) return { status: 'success', ...result }
    const { printed } = outcome
    return { status: 'success', ...result, ...(printed && { printed }), ...evidence, ...traced }
  }
  const { error } = outcome
  const hint = error.hint ?? plan.notes[0] ?? refused[0]?.reason ?? missingFile(run)
  return {
    status: 'error',
    error: error.message,
    code: error.code,
    ...(hint !== undefined && { hint: printHint(hint, context.caller) }),
    item_type: run.item.file.type,
    ...result,
    ...evidence,
    ...traced,
  }
}

/** A tool that imports a file which does not verify reports it as missing, although it is there. */
function missingFile({ plan, item }: ToolRun): Hint | undefined {
  const [file] = plan.leftOut
  if (!file) return undefined
  const category = categoryOf(plan.itemId)
  const item_id = `tool:${category && `${category}/`}${file.path.replace(/\.[^.]+$/, '')}`
  const source = item.file.space === 'user' ? { source: 'user' } : {}
  return hintWith(
    `it ran without \`${file.path}\` beside it, which is ${file.reason}; read that, then: `,
    callOf('sign', { item_id, ...source }),
  )
}

/** Long data is kept whole. If that fails, the answer is just as short and says so. */
function shorten(workspace: Workspace, data: JsonValue): { data: JsonValue; lost?: string } {
  const long = findLongData(data)
  if (long === undefined) return { data }
  const { id, lost } = keepText(workspace, long.text)
  return { data: long.shorten(id), ...(lost !== undefined && { lost }) }
}

/** A run that cannot be recorded has still happened: the answer says so instead of hiding it. */
async function record(
  { caller, client, library }: ActionContext,
  run: ToolRun,
  { outcome, started }: { readonly outcome: RunOutcome; readonly started: Date },
): Promise<{ receipt: string | null; problem?: string }> {
  const { workspace, item, plan } = run
  try {
    const { path, place } = workspace.library.states.make(workspace.projectPath)
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
      caller,
      ...(library.grant && { user: library.grant.user }),
      ...(client !== undefined && {
        client: cutText(escapeHidden(client, { oneLine: true }), CLIENT_LENGTH),
      }),
      ...(outcome.status === 'success' && outcome.printed && { printed: endOf(outcome.printed) }),
    })
    if (place !== 'process') return { receipt: receipt.hash }
    const { userSpace } = workspace.library
    return {
      receipt: receipt.hash,
      problem: `the log of runs is lost when this program ends: \`${userSpace}\` cannot be written, nor can the cache`,
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { receipt: null, problem: `the run was not recorded: ${thrown.message}` }
  }
}

const MOST_PRINTED_BYTES = 1_000

function endOf({ stdout, stderr }: { stdout: string; stderr: string }): { stdout: string; stderr: string } {
  const end = (text: string) => {
    const bytes = Buffer.from(text)
    return sliceText(bytes, Math.max(0, bytes.length - MOST_PRINTED_BYTES), MOST_PRINTED_BYTES).text
  }
  return { stdout: end(stdout), stderr: end(stderr) }
}

/** A tool's message is shown in the terminal or in the log of a client, so it becomes one escaped line. */
function readProgress(progress: JsonObject): { message: string; done: number; total?: number } {
  const done = typeof progress.progress === 'number' ? progress.progress : 0
  const message = typeof progress.message === 'string' ? progress.message : String(progress.progress ?? '')
  const shown = cutText(escapeHidden(message, { oneLine: true }), PROGRESS_LENGTH)
  return { message: shown, done, ...(typeof progress.total === 'number' && { total: progress.total }) }
}
