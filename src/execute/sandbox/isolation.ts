// Which isolation a run gets, and the sandbox around its command. Bubblewrap is probed once, with the arguments that will be used:
// if a kernel or container forbids user namespaces, the probe fails and not the first tool.
import { AppError } from '../../base/index.ts'
import { captureProcess } from '../process/capture-process.ts'
import { type DeclaredLimits, resourceLimits } from '../process/resource-limits.ts'
import type { ProcessTable, StartRequest } from '../process/spawn.ts'
import { barrierArguments } from '../process/start-barrier.ts'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'
import {
  describeSandbox,
  type MachinePlaces,
  privateDirectories,
  type SandboxRequest,
} from './describe-sandbox.ts'
import { compileCallFilter } from './filter/call-filter.ts'
import type { IsolationName } from './isolation-name.ts'
import type { MountPoint } from './mount-point.ts'
import { examine } from './protect-paths.ts'

/** `auto`: bubblewrap where it works, else process groups. */
export type IsolationPolicy = 'auto' | IsolationName

/** What the user decides, and may decide anew while we run. */
export interface IsolationSettings {
  readonly policy: IsolationPolicy
  /** What every tool may see, and may write to, besides its project. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly limits?: DeclaredLimits
}

export interface IsolationOptions extends MachinePlaces {
  /** Asked at every start. */
  readonly settings: () => Promise<IsolationSettings>
  /** Where bubblewrap may be. Never looked for on `PATH`: a project could have put one there. */
  readonly candidates?: readonly string[]
}

export type IsolationRequest = StartRequest & SandboxRequest

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
/** Long: if a busy machine failed the probe, all runs of this server would go without a sandbox. */
const PROBE_MS = 30_000

/** What was found to work. */
interface Bubblewrap {
  readonly command: string
  /** Whether this kernel takes our filters of system calls. */
  readonly filters: boolean
}

export class Isolation {
  readonly #options: IsolationOptions
  readonly #table: ProcessTable
  readonly #releasing = new Set<Promise<unknown>>()
  #probe: Promise<Bubblewrap | null> | undefined

  constructor(options: IsolationOptions, table: ProcessTable) {
    this.#options = options
    this.#table = table
  }

  async name(): Promise<IsolationName> {
    const { policy } = await this.#options.settings()
    return (await this.#bubblewrap(policy)) === null ? 'process-group' : 'bubblewrap'
  }

  /** Whether sandboxed tools are kept from system calls that no tool needs. */
  async filtersCalls(): Promise<boolean> {
    const { policy } = await this.#options.settings()
    return (await this.#bubblewrap(policy))?.filters ?? false
  }

  /** Equal as long as the user has decided nothing else: what was started before is not used afterwards. */
  async stamp(): Promise<string> {
    return JSON.stringify(await this.#options.settings())
  }

  /** Puts a command into the isolation that the policy and the machine allow. */
  async isolate(request: IsolationRequest): Promise<IsolatedStart> {
    const settings = await this.#options.settings()
    const bubblewrap = await this.#bubblewrap(settings.policy)
    const limits = resourceLimits(settings.limits, request.permissions.limits)
    if (bubblewrap === null)
      return { isolation: 'process-group', request: { ...request, limits }, release: () => {} }
    const mountPoints: MountPoint[] = []
    const release = () => this.#release(mountPoints)
    try {
      const sandbox = describeSandbox(grantMore(request, settings), this.#options, mountPoints)
      const filter = bubblewrap.filters ? callFilter(sandbox.network) : undefined
      const descriptor = 3 + (request.extraPipes ?? 0)
      const bounds = { privateBytes: limits.memoryBytes, filterDescriptor: filter && descriptor + 1 }
      const args = [
        ...bubblewrapArguments({ ...sandbox, ...bounds }),
        ...barrierArguments(descriptor, limits),
        ...[request.command, ...request.args],
      ]
      const start = { ...request, command: bubblewrap.command, args, cwd: '/', sandboxed: true }
      return { isolation: 'bubblewrap', request: { ...start, filter, limits }, release }
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  /** Settles when the mount points of released sandboxes are gone, or left to others. To be called when all have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#releasing)
  }

  async #bubblewrap(policy: IsolationPolicy): Promise<Bubblewrap | null> {
    if (policy === 'process-group') return null
    this.#probe ??= this.#probeBubblewrap()
    const found = await this.#probe
    if (found === null && policy === 'bubblewrap') {
      throw new AppError(
        'ISOLATION_UNAVAILABLE',
        'the policy demands `bubblewrap`, which does not work on this machine',
        { hint: 'install bubblewrap and allow user namespaces, or set the isolation policy to `auto`' },
      )
    }
    return found
  }

  async #probeBubblewrap(): Promise<Bubblewrap | null> {
    if (process.platform !== 'linux') return null
    const command = (this.#options.candidates ?? CANDIDATES).find(path => examine(path) !== null)
    if (command === undefined) return null
    const filter = callFilter(false)
    if (filter && (await this.#works(command, filter))) return { command, filters: true }
    return (await this.#works(command, undefined)) ? { command, filters: false } : null
  }

  async #works(command: string, filter: Uint8Array | undefined): Promise<boolean> {
    const mounts = privateDirectories().map(path => ({ path, kind: 'directory', access: 'private' }) as const)
    const sandbox = { mounts, links: [], network: false, cwd: '/', filterDescriptor: filter && 3 }
    const args = [...bubblewrapArguments(sandbox), '/bin/sh', '-c', ':']
    const output = await captureProcess(
      this.#table,
      { command, args, cwd: '/', env: {}, filter },
      { stdin: '', timeoutMs: PROBE_MS, outputBytes: 4_096 },
    )
    return output.exitCode === 0
  }

  #release(mountPoints: readonly MountPoint[]): void {
    const releasing = Promise.all(mountPoints.map(mountPoint => mountPoint.release()))
    this.#releasing.add(releasing)
    void releasing.then(() => this.#releasing.delete(releasing))
  }
}

function grantMore(request: IsolationRequest, { readable, writable }: IsolationSettings): IsolationRequest {
  const permissions = { ...request.permissions, write: [...request.permissions.write, ...writable] }
  return { ...request, permissions, readable: [...request.readable, ...readable] }
}

/** Without a network there is nobody to talk to: neither by a socket in the file system. */
function callFilter(network: boolean): Uint8Array | undefined {
  return compileCallFilter(process.arch, { sockets: network }) ?? undefined
}
