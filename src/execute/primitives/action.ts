// The `action` primitive: one of our own actions, in this process. Whoever runs the plan passes in how to run
// an action, because this folder knows none of them.
import { AppError, type JsonObject } from '../../base/index.ts'
import type { ActionInvocation } from '../../plan/index.ts'
import { watchBounds } from '../process/deadline.ts'
import type { Primitive } from './primitive.ts'

export const runOwnAction: Primitive<ActionInvocation> = async call => {
  const { plan, invocation, callAction } = call
  if (callAction === undefined)
    throw new Error('unreachable: a plan with an action needs a caller of actions')
  const ended = new AbortController()
  const bounds = { timeoutMs: plan.timeoutMs, signal: call.signal }
  const stopWatching = watchBounds(bounds, ending =>
    ended.abort(
      ending === 'timeout'
        ? new AppError('EXECUTION_TIMEOUT', `the tool took longer than ${plan.timeoutMs / 1000} s`)
        : new AppError('EXECUTION_CANCELLED', 'the call was cancelled'),
    ),
  )
  // Does not wait for an action that ignores its signal.
  const over = new Promise<never>((_, reject) => {
    ended.signal.addEventListener('abort', () => reject(ended.signal.reason), { once: true })
  })
  try {
    const answer = await Promise.race([callAction(invocation, ended.signal), over])
    return { status: 'success', data: { success: true, ...answer }, isolation: 'none' }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    // Details of an action are JSON: they are part of its answer on every surface.
    const data = { success: false, error: thrown.message, ...(thrown.details as JsonObject) }
    return { status: 'error', error: thrown, data, isolation: 'none' }
  } finally {
    stopWatching()
  }
}
