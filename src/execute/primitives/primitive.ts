// What the primitives have in common: each takes a call and returns an outcome.
import type { JsonObject } from '../../base/index.ts'
import type { ActionInvocation, Plan } from '../../plan/index.ts'
import type { ResolveHost } from '../network/resolve-host.ts'
import type { RefusedHost } from '../network/sandbox-network.ts'
import type { ProcessTable } from '../process/spawn.ts'
import type { Isolation } from '../sandbox/isolation.ts'
import type { NodeSources } from '../workers/node-source.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { McpConnections } from './mcp/mcp-connections.ts'
import type { UsedIsolation } from './outcome.ts'
import type { Listeners, Outcome } from './result.ts'

/** The parts that outlive a call. */
export interface PrimitiveParts {
  readonly table: ProcessTable
  readonly isolation: Isolation
  readonly workers: WorkerPool
  readonly nodeSources: NodeSources
  readonly mcp: McpConnections
  readonly options: PrimitiveOptions
}

export interface PrimitiveOptions {
  /** The limit of each output stream, and of an answer, in bytes. */
  readonly outputBytes: number
  /** The first pause before an HTTP request is sent again. */
  readonly backoffMs: number
  /** Resolves names. By default the system does. */
  readonly resolveHost?: ResolveHost | undefined
}

/** Returns what the action answers, or throws an `AppError`. */
export type ActionCaller = (invocation: ActionInvocation, signal: AbortSignal) => Promise<JsonObject>

export interface PrimitiveCall<Invocation> extends Listeners {
  readonly plan: Plan
  readonly invocation: Invocation
  readonly parts: PrimitiveParts
  readonly signal: AbortSignal | undefined
  readonly callAction: ActionCaller | undefined
  /** Called with the process ids of the tool, before it starts where that is possible. */
  readonly onStarted: ((pids: readonly number[]) => void) | undefined
}

export type PrimitiveOutcome = Outcome & {
  readonly isolation: UsedIsolation
  /** Hosts that the tool was not allowed to reach. */
  readonly refused?: readonly RefusedHost[]
}

export type Primitive<Invocation> = (call: PrimitiveCall<Invocation>) => Promise<PrimitiveOutcome>
