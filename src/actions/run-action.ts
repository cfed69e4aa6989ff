// Runs an action and turns a user-reachable failure into the answer that every surface shows.
import { AppError } from '../base/index.ts'
import type { Action, ActionContext } from './definition/action.ts'
import { describeFailure } from './definition/failure.ts'
import { refuseAgent } from './definition/refuse-agent.ts'
import { toolActions } from './tool-actions.ts'

export interface ActionRun {
  readonly action: Action
  /** Reads the input; a wrong input is an answer like any other failure. */
  readonly read: () => Record<string, unknown> | Promise<Record<string, unknown>>
  readonly context: ActionContext
}

export async function runAction(run: ActionRun): Promise<{ failed: boolean; answer: object }> {
  const { action, context } = run
  let input: Record<string, unknown> = {}
  try {
    refuseAgent(action, context)
    input = await run.read()
    const answer = await action.run({ ...context, toolActions: toolActions(context) }, input)
    return { failed: 'status' in answer && answer.status === 'error', answer: withMode(context, answer) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { failed: true, answer: withMode(context, describeFailure(thrown, context.caller, input)) }
  }
}

/** In development mode an answer may contain unsigned items, so it says so. */
function withMode({ library }: ActionContext, answer: object): object {
  return library.devMode ? { ...answer, dev_mode: true } : answer
}
