// Everything that outlives one run: the table of processes, the workers, the connections, the queue. `close`
// ends all of it, and so does the end of our own process.
import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import type { PlanContext } from '../plan/index.ts'
import { type ProjectStates, projectStates } from '../user/index.ts'
import { McpConnections } from './primitives/mcp/mcp-connections.ts'
import type { PrimitiveOptions, PrimitiveParts } from './primitives/primitive.ts'
import { createInterpreterFinder } from './process/find-interpreter.ts'
import { FairQueue } from './process/queue.ts'
import { ProcessTable } from './process/spawn.ts'
import { Isolation, type IsolationPolicy, type IsolationSettings } from './sandbox/isolation.ts'
import type { IsolationName } from './sandbox/isolation-name.ts'
import { findLeftGuards } from './sandbox/left-guards.ts'
import { findProjectAround } from './sandbox/project-around.ts'
import type { UserPlaces } from './sandbox/protected-paths.ts'
import { NodeSources } from './workers/node-source.ts'
import { createPatternGuard } from './workers/pattern-guard.ts'
import { WorkerPool } from './workers/worker-pool.ts'

export interface RunnerOptions extends PrimitiveOptions, UserPlaces {
  /** `auto`: bubblewrap where it works, process groups elsewhere. Naming one demands it. */
  readonly isolation: IsolationPolicy
  /** Asked at every start. Default: the policy above, and no further paths to see. */
  readonly isolationSettings?: (() => Promise<IsolationSettings>) | undefined
  /** The directory that holds the user's `.ai`. */
  readonly userSpace: string
  /** Where this program is installed. No tool may change it. */
  readonly packageRoot?: string | undefined
  /**
   * Directories of this program that tools do not see, except their own private copy: the cache, the state.
   */
  readonly ownDirectories?: readonly string[] | undefined
  /** Where caches of package managers are kept, for MCP servers and for scripts of skills. */
  readonly packageCaches?: string | undefined
  /** Paths that tools must see although a sandbox hides the home and has its own `/tmp`: the user's items. */
  readonly readable: readonly string[]
  /** The caller's environment: interpreters are looked for on its `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where locks are kept. */
  readonly states: Pick<ProjectStates, 'make'>
  /** How many runs may happen at once, over all callers. */
  readonly concurrency: number
  readonly idleWorkers: number
  readonly idleMs: number
}

const DEFAULT_RUNNER: Omit<RunnerOptions, 'states'> = {
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

export interface RunnerUsage {
  readonly running: number
  /** Runs that wait for their turn. */
  readonly waiting: number
  readonly idleWorkers: number
}

export interface Runner {
  readonly findInterpreter: PlanContext['findInterpreter']
  readonly matchesPattern: PlanContext['matchesPattern']
  /** The isolation that processes get here. */
  isolation(): Promise<IsolationName>
  /** Whether sandboxed tools are denied system calls that no tool needs. */
  filtersCalls(): Promise<boolean>
  /** What killed runs have left at the protected paths of a project. */
  leftGuards(projectPath: string): string[]
  /** What runs and waits now. */
  usage(): RunnerUsage
  /** Ends every process, worker and connection. */
  close(): Promise<void>
  readonly parts: RunnerParts
}

/** For `run-plan.ts` alone. */
export interface RunnerParts extends PrimitiveParts {
  readonly queue: FairQueue
  readonly states: RunnerOptions['states']
}

export function createRunner(given: Partial<RunnerOptions> = {}): Runner {
  const options = { ...DEFAULT_RUNNER, ...given }
  const table = new ProcessTable()
  const settings = async () => ({ policy: options.isolation, readable: [], writable: [] })
  const isolation = new Isolation({ ...options, settings: options.isolationSettings ?? settings }, table)
  const workers = new WorkerPool(table, isolation, options)
  const mcp = new McpConnections({ table, isolation, resolveHost: options.resolveHost }, options.idleMs)
  const patterns = createPatternGuard()
  const queue = new FairQueue(options.concurrency)
  const closeTable = () => table.close()
  process.on('exit', closeTable)
  const isInProject = (path: string) => findProjectAround(path, options.home) !== undefined
  return {
    findInterpreter: createInterpreterFinder(table, options.env, isInProject),
    matchesPattern: patterns.matches,
    isolation: () => isolation.name(),
    filtersCalls: () => isolation.filtersCalls(),
    leftGuards: projectPath => findLeftGuards({ ...options, projectPath }),
    usage: () => ({ running: queue.running, waiting: queue.waiting, idleWorkers: workers.idle }),
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
      queue,
      states:
        given.states ??
        projectStates({ userSpace: options.userSpace, cacheRoot: join(options.home, '.cache', 'rye') }),
      nodeSources: new NodeSources(),
    },
  }
}
