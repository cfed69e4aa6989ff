// The only use of `child_process` in `execute/`. Every child leads a process group of its own and gets
// exactly the environment it is given (and `SHLVL`), never a shell and never our standard streams. When it
// ends, by itself or by us, its whole group is killed. A child that leaves its group (`setsid`) is out of
// reach here: only the pid namespace of a sandbox contains it.
import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { childrenOf, inheritedDescriptors } from './process-tree.ts'
import type { ResourceLimits } from './resource-limits.ts'
import { openBarrier } from './start-barrier.ts'
import { watchResources } from './watch-resources.ts'

export interface StartRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Pipes besides the three standard ones, from descriptor 3 on. */
  readonly extraPipes?: number
  /** `command` is a sandbox: SIGTERM goes to what runs inside, and one more pipe is its start barrier. */
  readonly sandboxed?: boolean
  /** Receives the ports of the sandbox over a channel: the descriptor after the extra pipes. */
  readonly ports?: PortReceiver | undefined
  /** The filter of system calls, which the sandbox reads to the end from the last descriptor. */
  readonly filter?: Uint8Array | undefined
  /** What the child and its descendants may take together. If they take more, they are killed. */
  readonly limits?: ResourceLimits | undefined
  /** A folder on the disk that the child writes to. Default: `cwd`. */
  readonly diskFolder?: string | undefined
  /** Called with the child's process ids, before the tool starts if there is a barrier. */
  readonly onStarted?: ((pids: readonly number[]) => void) | undefined
}

export interface PortReceiver {
  /** Takes over a socket that listens in the sandbox. Called before the tool starts. */
  receive(port: number, server: Server): void
  /** Called when the child has ended. */
  close(): void
}

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Set when it was killed for taking too much: what it took, in words. */
  readonly exceeded?: string | undefined
}

export interface ChildHandle {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Descriptors 3, 4, ...: each can be read and written. */
  readonly pipes: readonly (Readable & Writable)[]
  /** Its process ids. Once these are gone, so is every process of it that can be known. */
  members(): readonly number[]
  /** Processes that the child has started and that are still alive, as far as the kernel tells. */
  descendants(): readonly number[]
  /** Settles when the child has ended and its group has been killed; never rejects. */
  readonly exited: Promise<Exit>
  /** SIGTERM, two seconds, SIGKILL; settles with `exited`, and after three seconds in any case. */
  end(): Promise<Exit>
}

type StdioEntry = 'pipe' | 'ipc' | 'ignore' | number

const GRACE_MS = 2_000
const GIVE_UP_MS = 2_900

/** The children that are alive; none of them outlives us. */
export class ProcessTable {
  /** How each of them is killed. */
  readonly #alive = new Map<ChildProcess, () => void>()
  #closed = false

  async start(request: StartRequest): Promise<ChildHandle> {
    if (this.#closed) throw closing()
    const child = await launch(request)
    // A child started with pipes only has duplex sockets, and null for the channel.
    const pipes = child.stdio.slice(3).filter(stream => stream !== null) as (Readable & Writable)[]
    const filter = request.filter ? pipes.pop() : undefined
    const barrier = request.sandboxed ? pipes.pop() : undefined
    const kill = () => {
      // If a sandbox is killed while it is set up, the program inside may survive. Once its barrier is
      // destroyed, it can never start the tool.
      barrier?.destroy()
      signalGroup(child, 'SIGKILL')
    }
    this.#alive.set(child, kill)
    let exceeded: string | undefined
    const watched =
      request.limits &&
      watchResources(
        { root: child.pid!, folder: request.diskFolder ?? request.cwd, limits: request.limits },
        what => {
          exceeded = what
          kill()
        },
      )
    const exited = new Promise<Exit>(resolve => {
      child.once('exit', (code, signal) => {
        watched?.()
        request.ports?.close()
        this.#alive.delete(child)
        kill()
        resolve({ code, signal, exceeded })
      })
    })
    if (this.#closed) {
      kill()
      throw closing()
    }
    filter?.end(request.filter)
    if (request.ports) receivePorts(child, request.ports)
    const pid = child.pid!
    const members = () => [pid, ...(request.sandboxed ? childrenOf(pid) : [])]
    const descendants = () => findDescendants(pid, request.sandboxed ?? false)
    const onStarted = () => request.onStarted?.(members())
    if (barrier) openBarrier(barrier, onStarted)
    else onStarted()
    let ending: Promise<Exit> | undefined
    return {
      pid,
      stdin: child.stdin!,
      stdout: child.stdout!,
      stderr: child.stderr!,
      pipes,
      members,
      descendants,
      exited,
      end: () => (ending ??= endChild(child, { exited, kill, sandboxed: barrier !== undefined })),
    }
  }

  /** Kills every group at once and starts no more; synchronous, to run while the process exits. */
  close(): void {
    this.#closed = true
    for (const kill of this.#alive.values()) kill()
  }
}

function closing(): AppError {
  return new AppError('EXECUTION_CANCELLED', 'the runner is closing and starts no more processes')
}

async function launch(request: StartRequest): Promise<ChildProcess> {
  const pipes = (length: number) => Array.from({ length }, () => 'pipe' as const)
  const extra = [
    ...pipes(request.extraPipes ?? 0),
    ...(request.ports ? ['ipc' as const] : []),
    ...pipes((request.sandboxed ? 1 : 0) + (request.filter ? 1 : 0)),
  ]
  let child: ChildProcess
  try {
    child = spawn(request.command, [...request.args], {
      cwd: request.cwd,
      // Our pipes are sockets, so bash would take itself for a remote shell and run `~/.bashrc`. `SHLVL`
      // tells it that it is not the outermost shell.
      env: { SHLVL: '1', ...request.env },
      stdio: withoutInherited(['pipe', 'pipe', 'pipe', ...extra]),
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
  } catch (thrown) {
    throw startFailure(request, thrown)
  }
  // A child may close its standard input, or never read it.
  for (const stream of child.stdio) stream?.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', thrown => reject(startFailure(request, thrown)))
  })
  child.on('error', () => {})
  return child
}

let inherited: readonly number[] | undefined
let empty: number | undefined

/**
 * Tools do not get the descriptors that we were started with: an empty file takes their place, unless one of
 * our pipes does.
 */
function withoutInherited(stdio: readonly StdioEntry[]): StdioEntry[] {
  inherited ??= inheritedDescriptors()
  const others = inherited
  if (others.length === 0) return [...stdio]
  empty ??= openSync('/dev/null', 'r')
  const nothing = empty
  const length = Math.max(stdio.length, ...others.map(descriptor => descriptor + 1))
  return Array.from(
    { length },
    (_, descriptor) => stdio[descriptor] ?? (others.includes(descriptor) ? nothing : 'ignore'),
  )
}

/** The sender is a program of ours, and nothing of the tool runs before the channel is closed. */
function receivePorts(child: ChildProcess, ports: PortReceiver): void {
  child.on('message', (message, handle) => {
    if (typeof message === 'number' && isServer(handle)) ports.receive(message, handle)
    else child.disconnect()
  })
}

/** By its methods: the class as a value would get into the declarations of the package. */
function isServer(handle: SendHandle | undefined): handle is Server {
  return handle !== undefined && 'listen' in handle
}

function startFailure(request: StartRequest, cause: unknown): AppError {
  const code = systemErrorCode(cause)
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') {
    const problem = code === 'EACCES' ? 'is not executable' : 'was not found'
    return new AppError('INTERPRETER_MISSING', `\`${request.command}\` ${problem} (in \`${request.cwd}\`)`, {
      hint: 'install it, or change the name of the program in the item, or in the runtime that it runs with',
      cause,
    })
  }
  if (code === 'E2BIG') {
    return new AppError('EXECUTION_FAILED', 'the arguments are larger than the system allows', {
      hint: 'let the runtime pass the parameters on standard input',
      cause,
    })
  }
  return new AppError(
    'EXECUTION_FAILED',
    `\`${request.command}\` could not be started: ${code ?? 'unknown'}`,
    { cause },
  )
}

interface Ending {
  readonly exited: Promise<Exit>
  readonly kill: () => void
  readonly sandboxed: boolean
}

async function endChild(child: ChildProcess, { exited, kill, sandboxed }: Ending): Promise<Exit> {
  if (sandboxed) signalInside(child.pid!, 'SIGTERM')
  else signalGroup(child, 'SIGTERM')
  const late = setTimeout(kill, GRACE_MS)
  let giveUp: NodeJS.Timeout | undefined
  const gone = new Promise<Exit>(resolve => {
    giveUp = setTimeout(() => resolve({ code: null, signal: 'SIGKILL' }), GIVE_UP_MS)
  })
  try {
    return await Promise.race([exited, gone])
  } finally {
    clearTimeout(late)
    clearTimeout(giveUp)
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const pid = child.pid
  if (pid === undefined) return
  if (process.platform === 'win32') {
    if (child.exitCode === null)
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {})
    return
  }
  sendSignal(-pid, signal)
}

// SIGTERM to the sandbox itself would end it and kill the tool at once. It goes to what runs inside, the
// child of the sandbox's child. Where the kernel does not list children, the two seconds just pass.
function signalInside(sandbox: number, signal: NodeJS.Signals): void {
  for (const init of childrenOf(sandbox)) {
    for (const inside of childrenOf(init)) sendSignal(inside, signal)
  }
}

// Inside a sandbox the tool is the first child of process 1, and orphans become further children.
function findDescendants(pid: number, sandboxed: boolean): number[] {
  if (!sandboxed) return childrenOf(pid)
  const [tool, ...orphans] = childrenOf(pid).flatMap(childrenOf)
  return tool === undefined ? [] : [...childrenOf(tool), ...orphans]
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch (thrown) {
    // ESRCH: already gone. EPERM: a group whose last member changed its user; only a sandbox contains that.
    const code = systemErrorCode(thrown)
    if (code !== 'ESRCH' && code !== 'EPERM') throw thrown
  }
}
