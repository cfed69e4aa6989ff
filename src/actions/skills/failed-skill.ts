// One of several skills that could not be installed or removed: why, and what to do. The others go on.
import { type AppError, type Caller, type ErrorCode, escapeHidden, printHint } from '../../base/index.ts'

export interface FailedSkill {
  readonly item_id: string
  readonly code: ErrorCode
  readonly error: string
  /** What to do about it. */
  readonly hint?: string
}

export function failedSkill(item_id: string, thrown: AppError, caller: Caller): FailedSkill {
  const { code, message, hint } = thrown
  const shown = (text: string) => escapeHidden(text, { oneLine: true })
  const failed = { item_id: shown(item_id), code, error: shown(message) }
  return hint === undefined ? failed : { ...failed, hint: shown(printHint(hint, caller)) }
}
