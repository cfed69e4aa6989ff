// Maps the outcome of a command to its exit status: 0 done, 1 the work failed, 2 the call was wrong.
import type { Action } from '../../actions/index.ts'
import type { ErrorCode } from '../../base/index.ts'

const WRONG_CALL: readonly ErrorCode[] = ['INVALID_INPUT', 'INVALID_ID', 'QUERY_SYNTAX', 'SCOPE_SYNTAX']

export function exitStatus(action: Action, answer: object, failed: boolean): number {
  if (!failed) return action.exitStatus?.(answer) ?? 0
  return codeStatus('code' in answer ? answer.code : undefined)
}

/** The exit status of a failure. */
export function codeStatus(code: unknown): 1 | 2 {
  return WRONG_CALL.some(wrong => wrong === code) ? 2 : 1
}
