// Runs an action and turns a failure that a user can reach into the answer that every surface shows.
import { AppError } from '../base/index.ts'
import type { Action, ActionContext } from './definition/action.ts'
import { describeFailure } from './definition/failure.ts'

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
    const answer = await action.run(context, input)
    return { failed: 'status' in answer && answer.status === 'error', answer: withMode(context, answer) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { failed: true, answer: withMode(context, describeFailure(thrown, context.caller, input)) }
  }
}

/** An agent that could trust a key could make any item usable. */
function refuseAgent({ name, forPeople }: Action, { caller }: ActionContext): void {
  if (!forPeople || caller === 'person') return
  throw new AppError('POLICY_DENIED', `\`${name}\` is for people: an agent may not call it`, {
    hint: `a person can run: rye ${name}`,
  })
}

/** Whoever reads an answer must know that unsigned items may be in it. */
function withMode({ library }: ActionContext, answer: object): object {
  return library.devMode ? { ...answer, dev_mode: true } : answer
}
