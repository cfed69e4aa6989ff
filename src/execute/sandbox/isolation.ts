// Which isolation a run gets, and the sandbox around its command.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { networkVariables } from '../network/network-variables.ts'
import type { ResolveHost } from '../network/resolve-host.ts'
import { type RefusedHost, SandboxNetwork } from '../network/sandbox-network.ts'
import { programsDirectory } from '../process/programs-directory.ts'
import { type DeclaredLimits, resourceLimits } from '../process/resource-limits.ts'
import type { ProcessTable, StartRequest } from '../process/spawn.ts'
import { barrierArguments } from '../process/start-barrier.ts'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'
import { describeSandbox, type MachinePlaces, type SandboxRequest } from './describe-sandbox.ts'
import { BUBBLEWRAP_PLACES, type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts'
import type { IsolationName } from './isolation-name.ts'
import { splitLoaderVariables } from './loader-variables.ts'
import type { MountPoint } from './mount-point.ts'
import { openPackageCaches, type PackageCaches } from './package-caches.ts'

/** `auto`: bubblewrap where it works, else process groups. */
export type IsolationPolicy = 'auto' | IsolationName

/** What the user decides, and may change while we run. */
export interface IsolationSettings {
  readonly policy: IsolationPolicy
  /** What every tool may see, and may write to, besides its project. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly limits?: DeclaredLimits
  /** Paths that no tool sees, unless its project is there: the projects of others. */
  readonly hidden?: readonly string[]
}

export interface IsolationOptions extends MachinePlaces {
  /** Asked at every start. */
  readonly settings: () => Promise<IsolationSettings>
  /** Where bubblewrap may be, if not in its usual places. */
  readonly places?: readonly string[]
  /** Where caches of package managers are kept; without it there are none. */
  readonly packageCaches?: string | undefined
  /** Resolves names for tools. By default the system does. */
  readonly resolveHost?: ResolveHost | undefined
}

export type IsolationRequest = StartRequest &
  SandboxRequest & {
    /** Set for a run with caches of package managers. They are kept for the owner, if there is one. */
    readonly packageCaches?: { readonly owner: string | undefined } | undefined
  }

/** A start request that puts the command into its isolation. */
export interface IsolatedStart {
  readonly isolation: IsolationName
  readonly request: StartRequest
  /** Hosts that it was refused since the last call. */
  takeRefused(): readonly RefusedHost[]
  /** Must be called when the process has ended. */
  release(): void
}

export class Isolation {
  readonly #options: IsolationOptions
  readonly #table: ProcessTable
  readonly #releasing = new Set<Promise<unknown>>()
  #found: Promise<Bubblewrap | null> | undefined

  constructor(options: IsolationOptions, table: ProcessTable) {
    this.#options = options
    this.#table = table
  }

  async name(): Promise<IsolationName> {
    const { policy } = await this.#options.settings()
    return (await this.#bubblewrap(policy)) === null ? 'process-group' : 'bubblewrap'
  }

  /** Whether sandboxed tools are denied system calls that no tool needs. */
  async filtersCalls(): Promise<boolean> {
    const { policy } = await this.#options.settings()
    return (await this.#bubblewrap(policy))?.filter !== undefined
  }

  /** Changes when the user decides otherwise: what was started before is not used afterwards. */
  async stamp(): Promise<string> {
    return JSON.stringify(await this.#options.settings())
  }

  /** Puts a command into the isolation that the policy and the machine allow. */
  async isolate(request: IsolationRequest): Promise<IsolatedStart> {
    const settings = await this.#options.settings()
    const bubblewrap = await this.#bubblewrap(settings.policy)
    const limits = resourceLimits(settings.limits, request.permissions.limits)
    if (bubblewrap === null) {
      const start = { ...request, limits, diskFolder: request.projectPath }
      return { isolation: 'process-group', request: start, takeRefused: () => [], release: () => {} }
    }
    const mountPoints: MountPoint[] = []
    const caches = this.#openCaches(request)
    const release = () => {
      this.#release(mountPoints)
      caches?.release()
    }
    try {
      const network = this.#openNetwork(request)
      const granted = { ...grantMore(request, settings, network?.readable), caches: caches?.writable }
      const sandbox = describeSandbox({ ...granted, hidden: settings.hidden }, this.#options, mountPoints)
      const { filter } = bubblewrap
      const first = 3 + (request.extraPipes ?? 0)
      const barrier = first + (network ? 1 : 0)
      const { outside, inside } = splitLoaderVariables({ ...caches?.variables, ...request.env })
      const bounds = {
        privateBytes: limits.memoryBytes,
        filterDescriptor: filter && barrier + 1,
      }
      const preparation = network && { descriptor: first, command: network.command }
      const args = [
        ...bubblewrapArguments({ ...sandbox, ...bounds }),
        ...barrierArguments(barrier, { limits, preparation, variables: inside }),
        ...[request.command, ...request.args],
      ]
      const env = { ...outside, ...network?.variables }
      const ports = network?.ports
      const start = { ...request, command: bubblewrap.command, args, env, cwd: '/', sandboxed: true, ports }
      const takeRefused = () => ports?.takeRefused() ?? []
      const bounded = { ...start, filter, limits, diskFolder: request.projectPath }
      return { isolation: 'bubblewrap', request: bounded, takeRefused, release }
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  /**
   * Settles when the mount points of released sandboxes are gone, or left to others. Call it when all runs
   * have ended.
   */
  async close(): Promise<void> {
    await Promise.all(this.#releasing)
  }

  #openCaches({ packageCaches }: IsolationRequest): PackageCaches | undefined {
    const root = this.#options.packageCaches
    if (root === undefined || packageCaches === undefined) return undefined
    return openPackageCaches(root, packageCaches.owner)
  }

  /** What a sandbox needs for the hosts that its tool names. Undefined if it names none. */
  #openNetwork({ permissions, env }: IsolationRequest) {
    if (permissions.network.length === 0) return undefined
    const ports = new SandboxNetwork(permissions.network, { resolveHost: this.#options.resolveHost })
    const programs = programsDirectory()
    const words = [join(programs, 'network-ports.cjs'), ports.proxyPort, ...ports.localPorts]
    return {
      ports,
      command: [process.execPath, ...words.map(String)],
      variables: networkVariables(ports.proxyPort, join(programs, 'network-preload.cjs'), env),
      readable: [process.execPath, programs],
    }
  }

  async #bubblewrap(policy: IsolationPolicy): Promise<Bubblewrap | null> {
    if (policy === 'process-group') return null
    this.#found ??= findBubblewrap(this.#table, this.#options.places ?? BUBBLEWRAP_PLACES)
    const found = await this.#found
    if (found === null && policy === 'bubblewrap') {
      throw new AppError(
        'ISOLATION_UNAVAILABLE',
        'the policy demands `bubblewrap`, which does not work on this machine',
        { hint: 'install bubblewrap and allow user namespaces, or set the isolation policy to `auto`' },
      )
    }
    return found
  }

  #release(mountPoints: readonly MountPoint[]): void {
    const releasing = Promise.all(mountPoints.map(mountPoint => mountPoint.release()))
    this.#releasing.add(releasing)
    void releasing.then(() => this.#releasing.delete(releasing))
  }
}

function grantMore(
  request: IsolationRequest,
  { readable, writable }: IsolationSettings,
  needed: readonly string[] = [],
): IsolationRequest {
  const permissions = { ...request.permissions, write: [...request.permissions.write, ...writable] }
  return { ...request, permissions, readable: [...request.readable, ...readable, ...needed] }
}
