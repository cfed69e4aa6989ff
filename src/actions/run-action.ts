// Runs an action and turns a failure that a user can reach into the answer that every surface shows.
import { AppError, escapeHidden } from '../base/index.ts'
import type { Action, ActionContext } from './definition/action.ts'

export interface ActionRun {
  readonly action: Action
  /** Reads the input; a wrong input is an answer like any other failure. */
  readonly read: () => Record<string, unknown> | Promise<Record<string, unknown>>
  readonly context: ActionContext
}

export async function runAction(run: ActionRun): Promise<{ failed: boolean; answer: object }> {
  let input: Record<string, unknown> = {}
  try {
    input = await run.read()
    // The input was read against the action's own fields.
    const answer = await run.action.run(run.context, input as never)
    return { failed: 'status' in answer && answer.status === 'error', answer: withMode(run.context, answer) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { failed: true, answer: withMode(run.context, describeFailure(thrown, input)) }
  }
}

/** Whoever reads an answer must know that unsigned items may be in it. */
function withMode({ library }: ActionContext, answer: object): object {
  return library.devMode ? { ...answer, dev_mode: true } : answer
}

/** `{status, error, code, hint?, item_type?, item_id?}`, and whatever facts the error carries. */
function describeFailure(error: AppError, input: Record<string, unknown>): object {
  return {
    status: 'error',
    error: escapeHidden(error.message, { oneLine: true }),
    code: error.code,
    ...(error.hint !== undefined && { hint: escapeHidden(error.hint, { oneLine: true }) }),
    ...(typeof input.item_type === 'string' && { item_type: input.item_type }),
    ...(typeof input.item_id === 'string' && { item_id: escapeHidden(input.item_id, { oneLine: true }) }),
    ...error.details,
  }
}
