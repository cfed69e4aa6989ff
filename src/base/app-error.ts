// A failure that a user can reach: a stable code for machines, a fact for people, a hint that fixes it.
// Impossible states stay plain `Error`; expected outcomes are values, not errors.
import type { Hint } from './hint.ts'

export type ErrorCode =
  | 'INVALID_ID'
  | 'INVALID_INPUT'
  | 'ITEM_NOT_FOUND'
  | 'ITEM_AMBIGUOUS'
  | 'ITEM_EXISTS'
  | 'ITEM_MALFORMED'
  | 'ITEM_UNSIGNED'
  | 'ITEM_TAMPERED'
  | 'ITEM_UNTRUSTED'
  | 'ITEM_ROLLED_BACK'
  | 'VALIDATION_FAILED'
  | 'SPACE_IMMUTABLE'
  | 'PROJECT_NOT_FOUND'
  | 'QUERY_SYNTAX'
  | 'SCOPE_SYNTAX'
  | 'KEY_MISSING'
  | 'KEY_INVALID'
  | 'KEY_EXISTS'
  | 'POLICY_DENIED'
  | 'CONFIG_INVALID'
  | 'FILE_UNREADABLE'
  | 'FILE_TOO_LARGE'
  | 'WRITE_FAILED'
  | 'CHAIN_BROKEN'
  | 'CHAIN_CYCLE'
  | 'CHAIN_TOO_DEEP'
  | 'CHAIN_INVALID'
  | 'PRIMITIVE_UNKNOWN'
  | 'INTERPRETER_MISSING'
  | 'PARAMETERS_INVALID'
  | 'EXECUTION_FAILED'
  | 'EXECUTION_TIMEOUT'
  | 'EXECUTION_CANCELLED'
  | 'OUTPUT_TOO_LARGE'
  | 'ISOLATION_UNAVAILABLE'
  | 'NETWORK_REFUSED'
  | 'REMOTE_FAILED'
  | 'NOT_AVAILABLE'

export interface AppErrorOptions {
  readonly hint?: Hint | undefined
  readonly cause?: unknown
  /** Facts a machine may want beside the sentence; merged into the JSON answer. */
  readonly details?: Readonly<Record<string, unknown>>
}

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  /** Printed by the surface that shows it (`printHint`). */
  readonly hint: Hint | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.details = options.details ?? {}
  }
}

/** The system error code (`ENOENT`, `EACCES` ...) of something thrown by Node, if it has one. */
export function systemErrorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
