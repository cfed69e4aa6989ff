// Turns an `AppError` into the answer that every surface shows.
import {
  type AppError,
  type Caller,
  type ErrorCode,
  escapeHidden,
  type JsonObject,
  printHint,
} from '../../base/index.ts'
import type { Verdict } from '../../trust/index.ts'

export interface Failure extends FailureDetails {
  readonly status: 'error'
  /** What was expected, and what was found. */
  readonly error: string
  readonly code: ErrorCode
  /** What to do next. */
  readonly hint?: string
  readonly item_type?: string
  readonly item_id?: string
}

/** Facts besides the message. Each comes with some codes only. */
interface FailureDetails {
  readonly path?: string
  /** The verdict on an item that may not be used. */
  readonly trust?: Verdict
  /** Spaces in which an item was not found: `project, user, system`. */
  readonly searched?: string
  /** Types under which an item was found, when the caller has to name one. */
  readonly types?: readonly string[]
  /** Why an item does not validate. */
  readonly issues?: readonly string[]
  /** Files that would have been replaced. */
  readonly changed?: readonly string[]
  /** For a query: where it stops making sense, and what was expected there. */
  readonly offset?: number
  readonly expected?: string
  /** The input field that holds the query. */
  readonly field?: string
  /** What is wrong with the parameters of a tool; `path` leads to the value, such as `/files/0`. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  /** What the item takes, as JSON Schema. */
  readonly schema?: JsonObject
  /** What does not fit together in a chain. */
  readonly faults?: readonly string[]
  /** A chain up to where it breaks. */
  readonly chain_so_far?: string
  /** The inputs that a directive declares. */
  readonly declared_inputs?: readonly {
    readonly name: string
    readonly type: string
    readonly required: boolean
  }[]
  /** The last lines of a program that failed. */
  readonly stderr?: string
}

export function describeFailure(
  error: AppError,
  caller: Caller,
  input: Readonly<Record<string, unknown>> = {},
): Failure {
  const details: FailureDetails = error.details
  return {
    status: 'error',
    error: escapeHidden(error.message, { oneLine: true }),
    code: error.code,
    ...(error.hint !== undefined && { hint: escapeHidden(printHint(error.hint, caller), { oneLine: true }) }),
    ...(typeof input.item_type === 'string' && { item_type: input.item_type }),
    ...(typeof input.item_id === 'string' && { item_id: escapeHidden(input.item_id, { oneLine: true }) }),
    ...details,
  }
}
