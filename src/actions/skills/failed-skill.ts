// One of several skills that could not be installed or removed: the others go on, and this says why and what to do.
import { type AppError, type Caller, type ErrorCode, escapeHidden, printHint } from '../../base/index.ts'

export interface FailedSkill {
  readonly item_id: string
  readonly code: ErrorCode
  readonly error: string
  /** What to do about it. */
  readonly hint?: string
}

export function failedSkill(item_id: string, thrown: AppError, caller: Caller): FailedSkill {
  const { code, message: error, hint } = thrown
  if (hint === undefined) return { item_id, code, error }
  return { item_id, code, error, hint: escapeHidden(printHint(hint, caller), { oneLine: true }) }
}
