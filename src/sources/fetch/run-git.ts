// Runs the system's git with limits on time, output and disk use, in a process group that is killed with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, cutText, flattenText, systemErrorCode } from '../../base/index.ts'
import { GIT_SETTINGS } from './git-environment.ts'

export interface GitRun {
  /** The bare repository in which it runs. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Limit of the repository's size on disk. */
  readonly mostBytes?: number
}

export interface GitCall {
  readonly args: readonly string[]
  readonly input?: string
  /** Limit of its output in bytes; more is an error. */
  readonly mostOutput: number
}

const MOST_BYTES = 500_000_000
const LOOK_MS = 200
export const TOO_LARGE = 'is larger than'

/** What git printed. Throws `REMOTE_FAILED` with git's message, `INTERPRETER_MISSING` without a git. */
export function runGit(run: GitRun, call: GitCall): Promise<Buffer> {
  const { folder, environment, signal, mostBytes = MOST_BYTES } = run
  const child = spawn('git', [...GIT_SETTINGS, `--git-dir=${folder}`, ...call.args], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  return new Promise((resolve, reject) => {
    let failure: AppError | undefined
    const stop = (error: AppError) => {
      failure ??= error
      killGroup(child)
    }
    const cancel = () => stop(reasonOf(signal))
    const weigh = () => {
      if (sizeOf(folder) > mostBytes) stop(failed(`the repository ${TOO_LARGE} ${mostBytes} bytes`))
    }
    const watch = setInterval(weigh, LOOK_MS)
    const chunks: Buffer[] = []
    let [size, errors] = [0, '']
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > call.mostOutput) stop(failed(`git answered with more than ${call.mostOutput} bytes`))
      else chunks.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      errors = (errors + text).slice(-4000)
    })
    child.stdin.on('error', () => {}) // it may end before it has read everything
    child.stdin.end(call.input ?? '')
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const settle = (status: number | null, fault?: AppError) => {
      clearInterval(watch)
      // It may have been faster than the watch.
      weigh()
      signal.removeEventListener('abort', cancel)
      killGroup(child)
      const error = failure ?? fault
      if (error) reject(error)
      else if (status === 0) resolve(Buffer.concat(chunks))
      else reject(failed(lastLines(errors) || `git ended with ${status}`))
    }
    child.on('error', cause => settle(null, startFault(cause)))
    child.on('close', status => settle(status))
  })
}

/** Kills git and what it has started: `git-remote-https`, `ssh`, `index-pack`. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
  }
}

/** Counts only the folders into which packs are written: they hold nearly all bytes. */
function sizeOf(folder: string): number {
  let size = 0
  for (const below of ['objects/pack', 'objects']) {
    for (const name of namesIn(join(folder, below)))
      size += statSync(join(folder, below, name), { throwIfNoEntry: false })?.size ?? 0
  }
  return size
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return []
  }
}

function startFault(cause: Error): AppError {
  if (systemErrorCode(cause) !== 'ENOENT') return failed(cause.message)
  return new AppError('INTERPRETER_MISSING', 'there is no `git` on this machine', {
    hint: 'install git, or download the files and add the folder',
  })
}

function reasonOf({ reason }: AbortSignal): AppError {
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    return new AppError('EXECUTION_TIMEOUT', 'git: no complete answer within the time limit')
  return reason instanceof AppError ? reason : new AppError('EXECUTION_CANCELLED', 'the call was cancelled')
}

/** Git's explanation is at the end of its output. */
function lastLines(errors: string): string {
  const lines = errors
    .split(/[\r\n]+/)
    .filter(line => /^(?:fatal|error|remote|ssh|Permission|Host key)\b/i.test(line))
  return cutText(flattenText((lines.length > 0 ? lines : errors.split('\n')).slice(-3).join('; ')), 500)
}

export function failed(message: string): AppError {
  return new AppError('REMOTE_FAILED', `git: ${message}`)
}
