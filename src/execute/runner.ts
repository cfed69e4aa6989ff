// Everything that outlives one run: the table of processes, the workers, the connections, the queue. `close` ends all
// of it; so does the end of our own process.
import { availableParallelism, homedir } from 'node:os'
import type { McpServer, PlanContext } from '../plan/index.ts'
import type { ResolveHost } from './primitives/http/http-request.ts'
import { McpConnections, type McpToolDefinition } from './primitives/mcp/mcp-client.ts'
import type { McpContext } from './primitives/mcp/mcp-connect.ts'
import type { Bounds } from './process/deadline.ts'
import { createInterpreterFinder } from './process/find-interpreter.ts'
import { ProcessTable } from './process/spawn.ts'
import { FairQueue } from './queue.ts'
import { Isolation, type IsolationName, type IsolationPolicy } from './sandbox/isolation.ts'
import { NodeSources } from './workers/node-source.ts'
import { createPatternGuard } from './workers/pattern-guard.ts'
import { WorkerPool } from './workers/worker-pool.ts'

export interface RunnerOptions {
  /** `auto`: bubblewrap where it works, process groups elsewhere. Naming one demands it. */
  readonly isolation: IsolationPolicy
  readonly home: string
  /** The directory that holds the user's `.ai`. */
  readonly userSpace: string
  /** Paths that tools must see although a sandbox has its own `/tmp`: the package, the user's items, the private copies. */
  readonly readable: readonly string[]
  /** Of the caller: where interpreters are looked for. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Runs at once, over all callers. */
  readonly concurrency: number
  /** Of each stream, and of an answer. */
  readonly outputBytes: number
  readonly idleWorkers: number
  readonly idleMs: number
  /** First pause before an HTTP request is tried again. */
  readonly backoffMs: number
  readonly resolveHost?: ResolveHost | undefined
}

export const DEFAULT_RUNNER: RunnerOptions = {
  isolation: 'auto',
  home: homedir(),
  userSpace: homedir(),
  readable: [],
  env: {},
  concurrency: Math.max(4, 2 * availableParallelism()),
  outputBytes: 1_000_000,
  idleWorkers: 4,
  idleMs: 60_000,
  backoffMs: 500,
}

export interface Runner {
  readonly findInterpreter: PlanContext['findInterpreter']
  readonly matchesPattern: PlanContext['matchesPattern']
  /** The isolation that processes get here. */
  isolation(): Promise<IsolationName>
  listMcpTools(server: McpServer, context: McpContext, bounds: Bounds): Promise<McpToolDefinition[]>
  /** Ends every process, worker and connection. */
  close(): Promise<void>
  readonly parts: RunnerParts
}

/** For `run-plan.ts` alone. */
export interface RunnerParts {
  readonly options: RunnerOptions
  readonly table: ProcessTable
  readonly isolation: Isolation
  readonly workers: WorkerPool
  readonly mcp: McpConnections
  readonly queue: FairQueue
  readonly nodeSources: NodeSources
}

export function createRunner(given: Partial<RunnerOptions> = {}): Runner {
  const options = { ...DEFAULT_RUNNER, ...given }
  const table = new ProcessTable()
  const isolation = new Isolation({ ...options, policy: options.isolation }, table)
  const workers = new WorkerPool(table, isolation, options)
  const mcp = new McpConnections({ table, isolation, resolveHost: options.resolveHost }, options.idleMs)
  const patterns = createPatternGuard()
  const closeTable = () => table.close()
  process.on('exit', closeTable)
  return {
    findInterpreter: createInterpreterFinder(table, options.env),
    matchesPattern: patterns.matches,
    isolation: () => isolation.name(),
    listMcpTools: (server, context, bounds) => mcp.listTools(server, context, bounds),
    async close() {
      await Promise.all([workers.close(), mcp.close(), patterns.close()])
      table.close()
      await isolation.close()
      process.off('exit', closeTable)
    },
    parts: {
      options,
      table,
      isolation,
      workers,
      mcp,
      queue: new FairQueue(options.concurrency),
      nodeSources: new NodeSources(),
    },
  }
}
