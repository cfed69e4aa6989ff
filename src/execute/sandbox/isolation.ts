// Which isolation a run gets, and the sandbox around its command. Bubblewrap is probed once, with the arguments that
// will be used: a kernel or container that forbids user namespaces fails the probe, not the first tool.
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { ProcessTable, StartRequest } from '../process/spawn.ts'
import { gateArguments } from '../process/start-barrier.ts'
import { captureProcess } from '../process/subprocess.ts'
import { bubblewrapArguments, type Cover, isInside } from './bubblewrap-arguments.ts'
import type { Placeholder } from './mount-point.ts'
import { coverPaths, examine } from './protect-paths.ts'
import { type Places, protectedPaths } from './protected-paths.ts'

export type IsolationName = 'bubblewrap' | 'process-group'

/** `auto`: bubblewrap where it works, else process groups. */
export type IsolationPolicy = 'auto' | IsolationName

export interface IsolationOptions {
  readonly policy: IsolationPolicy
  readonly home: string
  readonly userSpace: string
  /** Paths that tools need although they may lie below a private `/tmp`: user items, system items, private copies. */
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
/** A busy machine must not be taken for one without sandboxes, and all runs of a server go without. */
const PROBE_MS = 30_000

export class Isolation {
  readonly #options: IsolationOptions
  readonly #table: ProcessTable
  readonly #leaving = new Set<Promise<unknown>>()
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
        args: [...sandbox, ...gateArguments(3 + (request.extraPipes ?? 0)), request.command, ...request.args],
        cwd: '/',
        sandboxed: true,
      },
      release,
    }
  }

  /** Settles when what was made for the released sandboxes is gone, or left to others; call it when all have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#leaving)
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
      timeoutMs: PROBE_MS,
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
    const placeholders: Placeholder[] = []
    const release = () => this.#release(placeholders)
    let covers: Cover[]
    try {
      covers = coverPaths(protectedPaths(places), writable, placeholders)
    } catch (thrown) {
      release()
      throw thrown
    }
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
    return { arguments: bubblewrapArguments(sandbox), release }
  }

  #release(placeholders: readonly Placeholder[]): void {
    const leaving = Promise.all(placeholders.map(placeholder => placeholder.release()))
    this.#leaving.add(leaving)
    void leaving.then(() => this.#leaving.delete(leaving))
  }
}

function emptied(): string[] {
  return EMPTIED.filter(path => examine(path)?.path === path)
}

function createDirectory(path: string): void {
  try {
    mkdirSync(path)
  } catch {
    // It exists, or nobody can write here: a tool neither.
  }
}

// A program below a private directory is needed with its libraries beside it (`PREFIX/bin/python`, `PREFIX/lib`),
// yet an emptied directory as a whole must not come back that way.
function programPaths(command: string): string[] {
  const prefix = dirname(dirname(command))
  return EMPTIED.includes(prefix) || prefix === '/' ? [command] : [prefix]
}
