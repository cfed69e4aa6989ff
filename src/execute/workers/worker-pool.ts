// Warm workers, kept by key: who vouches for the tool, interpreter, environment, project, its packages,
// permissions. Whatever runs in a worker can change it, so two keys never share one: no tool sees the secrets
// or the sandbox of another, or answers for a tool of another signer. The queue decides how many run at once;
// the pool decides how many are kept idle.
import type { FunctionInvocation, Plan } from '../../plan/index.ts'
import type { RefusedHost } from '../network/sandbox-network.ts'
import { programsDirectory } from '../process/programs-directory.ts'
import type { ProcessTable } from '../process/spawn.ts'
import type { Isolation } from '../sandbox/isolation.ts'
import type { IsolationName } from '../sandbox/isolation-name.ts'
import { PYTHON_SAFE_PATH } from './safe-path.ts'
import { Worker, type WorkerAnswer, type WorkerCall } from './worker.ts'

/** Calls with equal keys may share a worker. */
export interface WorkerKey {
  /** For the tool and each of its runtimes: its space, and who signed it. */
  readonly origins: readonly {
    readonly space: string
    readonly format: string | null
    readonly signer: string | null
  }[]
  readonly host: FunctionInvocation['host']
  readonly command: string
  readonly env: Readonly<Record<string, string>>
  readonly projectPath: string
  /** Whether packages of the project are loaded: once they are, they stay. */
  readonly hasProjectPackages: boolean
  readonly permissions: Plan['permissions']
  /** The user's settings for isolation, as a stamp. */
  readonly isolation: string
  readonly readable: readonly string[]
}

export interface PoolLimits {
  readonly idleWorkers: number
  readonly idleMs: number
}

export type PoolAnswer = WorkerAnswer & {
  readonly isolation: IsolationName
  readonly refused: readonly RefusedHost[]
}

interface Idle {
  readonly key: string
  readonly worker: Worker
  readonly timer: NodeJS.Timeout
}

export class WorkerPool {
  readonly #table: ProcessTable
  readonly #isolation: Isolation
  readonly #limits: PoolLimits
  /** Least recently used first. */
  #idle: Idle[] = []
  #closed = false

  constructor(table: ProcessTable, isolation: Isolation, limits: PoolLimits) {
    this.#table = table
    this.#isolation = isolation
    this.#limits = limits
  }

  /** How many workers wait for a call. */
  get idle(): number {
    return this.#idle.length
  }

  /** With `once`, the worker serves only this call. */
  async call(
    key: WorkerKey,
    call: WorkerCall,
    { once = false }: { readonly once?: boolean | undefined } = {},
  ): Promise<PoolAnswer> {
    const name = JSON.stringify(key)
    const worker = (once ? undefined : this.#take(name)) ?? (await this.#start(key))
    // Drops refusals that belong to leftovers of an earlier call.
    worker.takeRefused()
    const answer = await worker.call(call)
    if (once) await worker.end()
    else this.#keep(name, worker)
    return { ...answer, refused: worker.takeRefused(), isolation: await this.#isolation.name() }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#idle.splice(0).map(idle => this.#discard(idle)))
  }

  #take(name: string): Worker | undefined {
    for (let at = this.#idle.length - 1; at >= 0; at--) {
      const idle = this.#idle[at]!
      if (idle.key !== name) continue
      this.#idle.splice(at, 1)
      clearTimeout(idle.timer)
      if (idle.worker.isUsable) return idle.worker
    }
    return undefined
  }

  #keep(key: string, worker: Worker): void {
    if (!worker.isUsable || this.#closed) {
      void worker.end()
      return
    }
    const timer = setTimeout(() => this.#drop(worker), this.#limits.idleMs)
    timer.unref()
    this.#idle.push({ key, worker, timer })
    if (this.#idle.length > this.#limits.idleWorkers) this.#drop(this.#idle[0]!.worker)
  }

  #drop(worker: Worker): void {
    const at = this.#idle.findIndex(idle => idle.worker === worker)
    if (at !== -1) void this.#discard(this.#idle.splice(at, 1)[0]!)
  }

  async #discard(idle: Idle): Promise<void> {
    clearTimeout(idle.timer)
    await idle.worker.end()
  }

  async #start(key: WorkerKey): Promise<Worker> {
    const { host, env, origins: _, hasProjectPackages: __, ...rest } = key
    const directory = programsDirectory()
    const isolated = await this.#isolation.isolate({
      ...rest,
      args: WORKER_ARGUMENTS[host](directory),
      env: host === 'python' ? { ...PYTHON_SAFE_PATH, ...env } : env,
      cwd: key.projectPath,
      extraPipes: 2,
      readable: [...key.readable, directory],
    })
    try {
      const child = await this.#table.start(isolated.request)
      void child.exited.then(isolated.release)
      const worker = new Worker(child, isolated.takeRefused)
      void child.exited.then(() => this.#drop(worker))
      return worker
    } catch (thrown) {
      isolated.release()
      throw thrown
    }
  }
}

const WORKER_ARGUMENTS = {
  python: (directory: string) => ['-B', `${directory}/python_worker.py`],
  node: (directory: string) => [
    ...['--experimental-vm-modules', '--experimental-import-meta-resolve', '--no-warnings'],
    `--require=${directory}/node-threads.cjs`,
    `${directory}/node-worker.mjs`,
  ],
}
