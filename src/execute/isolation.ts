// Which isolation a run gets, and the sandbox around its command. Bubblewrap is probed once, with the arguments that
// will be used: a kernel or container that forbids user namespaces fails the probe, not the first tool.
import { lstatSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../base/index.ts'
import { bubblewrapArguments, type Cover, isInside } from './bubblewrap-arguments.ts'
import { type Places, type ProtectedPath, protectedPaths } from './protected-paths.ts'
import type { ProcessTable, StartRequest } from './spawn.ts'
import { captureProcess } from './subprocess.ts'

export type IsolationName = 'bubblewrap' | 'process-group'

/** `auto`: bubblewrap where it works, else process groups. */
export type IsolationPolicy = 'auto' | IsolationName

export interface IsolationOptions {
  readonly policy: IsolationPolicy
  readonly home: string
  readonly userSpace: string
  /** Paths that tools need although they may lie below a private `/tmp`: user items, system items, snapshots. */
  readonly readable: readonly string[]
  /** Where bubblewrap may be. Never the `PATH`: a project could have put one there. */
  readonly candidates?: readonly string[]
}

export interface EnclosureRequest extends StartRequest {
  readonly projectPath: string
  readonly network: boolean
  /** Absolute, beside the project. */
  readonly writable: readonly string[]
  readonly readable: readonly string[]
}

export interface Enclosure {
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

export class Isolation {
  readonly #options: IsolationOptions
  readonly #table: ProcessTable
  readonly #mountPoints = new Map<string, number>()
  #probe: Promise<string | null> | undefined

  constructor(options: IsolationOptions, table: ProcessTable) {
    this.#options = options
    this.#table = table
  }

  async name(): Promise<IsolationName> {
    return (await this.#bubblewrap()) === null ? 'process-group' : 'bubblewrap'
  }

  /** Puts a start request into the isolation that the policy and the machine allow. */
  async enclose(request: EnclosureRequest): Promise<Enclosure> {
    const bubblewrap = await this.#bubblewrap()
    if (bubblewrap === null) return { isolation: 'process-group', request, release: () => {} }
    const { arguments: sandbox, release } = this.#build(request)
    return {
      isolation: 'bubblewrap',
      request: {
        ...request,
        command: bubblewrap,
        args: [...sandbox, request.command, ...request.args],
        cwd: '/',
        sandboxed: true,
      },
      release,
    }
  }

  async #bubblewrap(): Promise<string | null> {
    if (this.#options.policy === 'process-group') return null
    this.#probe ??= this.#probeBubblewrap()
    const found = await this.#probe
    if (found === null && this.#options.policy === 'bubblewrap') {
      throw new AppError(
        'ISOLATION_UNAVAILABLE',
        'the policy demands `bubblewrap`, and it does not work here',
        {
          hint: 'install bubblewrap and allow user namespaces, or set the isolation policy to `auto`',
        },
      )
    }
    return found
  }

  async #probeBubblewrap(): Promise<string | null> {
    if (process.platform !== 'linux') return null
    const command = (this.#options.candidates ?? CANDIDATES).find(path => examine(path) !== null)
    if (command === undefined) return null
    const sandbox = { emptied: emptied(), readable: [], writable: [], covers: [], network: false, cwd: '/' }
    const request = {
      command,
      args: [...bubblewrapArguments(sandbox), '/bin/sh', '-c', ':'],
      cwd: '/',
      env: {},
    }
    const output = await captureProcess(this.#table, request, {
      stdin: '',
      timeoutMs: 5_000,
      outputBytes: 4_096,
    })
    return output.exitCode === 0 ? command : null
  }

  #build(request: EnclosureRequest): { arguments: string[]; release: () => void } {
    const project = realpathSync(request.projectPath)
    const places: Places = {
      home: this.#options.home,
      userSpace: this.#options.userSpace,
      projectPath: project,
    }
    const writable = [project, ...request.writable.flatMap(path => examine(path)?.path ?? [])]
    // Receipts are about to be kept there; a tool may add items beside them, but must not decide what `.ai` is.
    createDirectory(`${project}/.ai`)
    const { covers, created } = this.#cover(protectedPaths(places), writable)
    const masked = emptied()
    const needed = [
      ...this.#options.readable,
      ...request.readable,
      request.cwd,
      ...programPaths(request.command),
    ]
    const readable = needed
      .flatMap(path => examine(path)?.path ?? [])
      .filter(path => masked.some(root => isInside(path, root)))
      .filter(path => !writable.some(root => path === root || isInside(path, root)))
    const sandbox = {
      emptied: masked,
      readable: [...new Set(readable)],
      writable,
      covers,
      network: request.network,
      cwd: request.cwd,
    }
    return { arguments: bubblewrapArguments(sandbox), release: () => this.#release(created) }
  }

  #cover(
    paths: readonly ProtectedPath[],
    writable: readonly string[],
  ): { covers: Cover[]; created: string[] } {
    const covers = new Map<string, Cover>()
    const created: string[] = []
    for (const { path, mode, absent } of paths) {
      if ([...covers.values()].some(cover => cover.mode === 'hidden' && isInside(path, cover.path))) continue
      const found = examine(path)
      if (found !== null && !this.#mountPoints.has(path)) {
        // A `.git` file points to a repository elsewhere: replacing it would replace the repository.
        if (absent === 'guard-only' && found.kind === 'directory') continue
        covers.set(found.path, { path: found.path, kind: found.kind, mode })
        continue
      }
      // Where nothing is writable, what is absent stays absent.
      if (absent === 'open' || !writable.some(root => isInside(path, root))) continue
      if (found === null && !createDirectory(path)) continue
      this.#mountPoints.set(path, (this.#mountPoints.get(path) ?? 0) + 1)
      created.push(path)
      covers.set(path, { path, kind: 'directory', mode: 'hidden' })
    }
    return { covers: [...covers.values()], created }
  }

  // An empty directory made only to be mounted over goes away with the last sandbox that needs it. Removing it
  // earlier would detach the mount inside the others.
  #release(created: readonly string[]): void {
    for (const path of created) {
      const users = (this.#mountPoints.get(path) ?? 1) - 1
      if (users > 0) {
        this.#mountPoints.set(path, users)
        continue
      }
      this.#mountPoints.delete(path)
      try {
        rmdirSync(path)
      } catch {
        // Something was put there meanwhile, from outside: it stays.
      }
    }
  }
}

function emptied(): string[] {
  return EMPTIED.filter(path => examine(path)?.path === path)
}

function examine(path: string): { path: string; kind: Cover['kind'] } | null {
  try {
    const real = realpathSync(path)
    return { path: real, kind: lstatSync(real).isDirectory() ? 'directory' : 'file' }
  } catch {
    return null
  }
}

function createDirectory(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}

// A program below a private directory is needed with its libraries beside it (`PREFIX/bin/python`, `PREFIX/lib`),
// yet an emptied directory as a whole must not come back that way.
function programPaths(command: string): string[] {
  const prefix = dirname(dirname(command))
  return EMPTIED.includes(prefix) || prefix === '/' ? [command] : [prefix]
}
