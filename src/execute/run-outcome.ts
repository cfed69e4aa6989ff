// How a run ended. What a tool does wrong is a value, not an exception.
import type { AppError, JsonValue } from '../base/index.ts'
import type { RefusedHost } from './network/sandbox-network.ts'
import type { Printed, UsedIsolation } from './primitives/outcome.ts'

export type RunOutcome =
  /** `printed` is what it wrote besides its answer, if anything. */
  (
    | { readonly status: 'success'; readonly data: JsonValue; readonly printed?: Printed }
    /** `data` is the evidence: what the tool wrote, its exit status, its traceback. */
    | { readonly status: 'error'; readonly error: AppError; readonly data: JsonValue }
  ) & {
    /** A remark about `data`, kept apart because the data is the tool's own. */
    readonly note?: string
    readonly isolation: UsedIsolation
    /** Hosts that it was not allowed to reach; only the first few. */
    readonly refused?: readonly RefusedHost[]
    /** Without the time spent waiting. */
    readonly durationMs: number
  }
