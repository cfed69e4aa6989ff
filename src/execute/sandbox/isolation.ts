// Which isolation a run gets, and the sandbox around its command. Bubblewrap is probed once, with the arguments that will be used:
// if a kernel or container forbids user namespaces, the probe fails and not the first tool.
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { Plan } from '../../plan/index.ts'
import { captureProcess } from '../process/capture-process.ts'
import type { ProcessTable, StartRequest } from '../process/spawn.ts'
import { barrierArguments } from '../process/start-barrier.ts'
import { bubblewrapArguments, isInside, type Sandbox } from './bubblewrap-arguments.ts'
import type { MountPoint } from './mount-point.ts'
import { examine, protectPaths } from './protect-paths.ts'
import { protectedPaths } from './protected-paths.ts'

export type IsolationName = 'bubblewrap' | 'process-group'

/** `auto`: bubblewrap where it works, else process groups. */
export type IsolationPolicy = 'auto' | IsolationName

export interface IsolationOptions {
  readonly policy: IsolationPolicy
  readonly home: string
  readonly userSpace: string
  /** Paths that every tool needs, though they may lie below an emptied `/tmp`: user items, system items, private copies. */
  readonly readable: readonly string[]
  /** Where bubblewrap may be. Never looked for on `PATH`: a project could have put one there. */
  readonly candidates?: readonly string[]
}

export interface IsolationRequest extends StartRequest {
  readonly projectPath: string
  readonly permissions: Plan['permissions']
  /** Paths that must be visible for this run. */
  readonly readable: readonly string[]
}

/** A start request that puts the command into its isolation. */
export interface IsolatedStart {
  readonly isolation: IsolationName
  readonly request: StartRequest
  /** Must be called when the process has ended. */
  release(): void
}

const CANDIDATES = [
  '/usr/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]
const EMPTIED = ['/tmp', '/var/tmp', '/run']
/** Long: if a busy machine failed the probe, all runs of this server would go without a sandbox. */
const PROBE_MS = 30_000

export class Isolation {
  readonly #options: IsolationOptions
  readonly #table: ProcessTable
  readonly #releasing = new Set<Promise<unknown>>()
  #probe: Promise<string | null> | undefined

  constructor(options: IsolationOptions, table: ProcessTable) {
    this.#options = options
    this.#table = table
  }

  async name(): Promise<IsolationName> {
    return (await this.#bubblewrap()) === null ? 'process-group' : 'bubblewrap'
  }

  /** Puts a command into the isolation that the policy and the machine allow. */
  async isolate(request: IsolationRequest): Promise<IsolatedStart> {
    const bubblewrap = await this.#bubblewrap()
    if (bubblewrap === null) return { isolation: 'process-group', request, release: () => {} }
    const mountPoints: MountPoint[] = []
    const release = () => this.#release(mountPoints)
    try {
      const sandbox = bubblewrapArguments(this.#describeSandbox(request, mountPoints))
      const barrier = barrierArguments(3 + (request.extraPipes ?? 0))
      const args = [...sandbox, ...barrier, request.command, ...request.args]
      const start = { ...request, command: bubblewrap, args, cwd: '/', sandboxed: true }
      return { isolation: 'bubblewrap', request: start, release }
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  /** Settles when the mount points of released sandboxes are gone, or left to others. To be called when all have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#releasing)
  }

  async #bubblewrap(): Promise<string | null> {
    if (this.#options.policy === 'process-group') return null
    this.#probe ??= this.#probeBubblewrap()
    const found = await this.#probe
    if (found === null && this.#options.policy === 'bubblewrap') {
      throw new AppError(
        'ISOLATION_UNAVAILABLE',
        'the policy demands `bubblewrap`, which does not work on this machine',
        { hint: 'install bubblewrap and allow user namespaces, or set the isolation policy to `auto`' },
      )
    }
    return found
  }

  async #probeBubblewrap(): Promise<string | null> {
    if (process.platform !== 'linux') return null
    const command = (this.#options.candidates ?? CANDIDATES).find(path => examine(path) !== null)
    if (command === undefined) return null
    const sandbox = {
      emptied: emptiedDirectories(),
      readable: [],
      writable: [],
      protected: [],
      network: false,
      cwd: '/',
    }
    const request = {
      command,
      args: [...bubblewrapArguments(sandbox), '/bin/sh', '-c', ':'],
      cwd: '/',
      env: {},
    }
    const output = await captureProcess(this.#table, request, {
      stdin: '',
      timeoutMs: PROBE_MS,
      outputBytes: 4_096,
    })
    return output.exitCode === 0 ? command : null
  }

  /** What the sandbox of a request looks like; whatever is made for it on disk is added to `mountPoints`. */
  #describeSandbox(request: IsolationRequest, mountPoints: MountPoint[]): Sandbox {
    const { permissions } = request
    const projectPath = realpathSync(request.projectPath)
    const { home, userSpace } = this.#options
    // Receipts are about to be kept there. A tool may add items beside them, but must not decide what `.ai` is.
    createDirectory(`${projectPath}/.ai`)
    const writable = [projectPath, ...permissions.write.flatMap(path => examine(path)?.path ?? [])]
    const paths = protectedPaths({ home, userSpace, projectPath })
    return {
      emptied: emptiedDirectories(),
      readable: this.#readable(request, writable),
      writable,
      protected: protectPaths(paths, writable, mountPoints),
      network: permissions.network,
      cwd: request.cwd,
    }
  }

  /** What is needed of the emptied directories, unless it is writable anyway. */
  #readable(request: IsolationRequest, writable: readonly string[]): string[] {
    const needed = [
      ...this.#options.readable,
      ...request.readable,
      request.cwd,
      ...programPaths(request.command),
    ]
    const masked = emptiedDirectories()
    const readable = needed
      .flatMap(path => examine(path)?.path ?? [])
      .filter(path => masked.some(root => isInside(path, root)))
      .filter(path => !writable.some(root => path === root || isInside(path, root)))
    return [...new Set(readable)]
  }

  #release(mountPoints: readonly MountPoint[]): void {
    const releasing = Promise.all(mountPoints.map(mountPoint => mountPoint.release()))
    this.#releasing.add(releasing)
    void releasing.then(() => this.#releasing.delete(releasing))
  }
}

function emptiedDirectories(): string[] {
  return EMPTIED.filter(path => examine(path)?.path === path)
}

function createDirectory(path: string): void {
  try {
    mkdirSync(path)
  } catch {
    // It exists, or neither we nor a tool can write here.
  }
}

// A program below an emptied directory is needed with the libraries beside it (`PREFIX/bin/python`, `PREFIX/lib`), but the
// emptied directory as a whole must not come back that way.
function programPaths(command: string): string[] {
  const prefix = dirname(dirname(command))
  return EMPTIED.includes(prefix) || prefix === '/' ? [command] : [prefix]
}
