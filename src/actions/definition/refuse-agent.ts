// Refuses agents the actions that are for people, whichever way they call them.
import { AppError } from '../../base/index.ts'
import type { Action, ActionContext } from './action.ts'

/** An agent that could trust a key could make any item usable. */
export function refuseAgent(
  { name, forPeople }: Pick<Action, 'name' | 'forPeople'>,
  { caller }: Pick<ActionContext, 'caller'>,
): void {
  if (!forPeople || caller === 'person') return
  throw new AppError('POLICY_DENIED', `\`${name}\` is for people: an agent may not call it`, {
    hint: `a person can run: rye ${name}`,
  })
}
