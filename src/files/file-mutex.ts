// A mutex between processes: a file that names its owner. It is free again when its owner and every process
// bound to it have ended. We cannot tell whether an owner in another container or on another machine is
// alive, so its mutex ends when the time it was taken for is over, or when the file is too old, whatever the
// file says. A stale mutex is broken under a mutex of its own: otherwise two waiters could both find it
// stale, and the slower one would break the new mutex of the faster one.
import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { AppError, isRecord, systemErrorCode } from '../base/index.ts'
import { writeInto } from './atomic-write.ts'
import { Folder } from './folder.ts'
import { makeFolders } from './make-folders.ts'
import { readFrom } from './read-file.ts'
import { isRunning, ownerTag, sweepTemporaries } from './temporary-name.ts'

export interface MutexOptions {
  /** What it protects, for messages. Defaults to the path of the mutex. */
  readonly subject?: string
  /** How long to wait for it. */
  readonly waitMs: number
  /** How long it may be held if nobody can tell whether its owner is alive. Others may take it after that. */
  readonly holdMs: number
  /** The maximum age of such an owner's mutex file, whatever expiry it claims. Defaults to `holdMs`. */
  readonly longestMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface HeldMutex {
  /** Binds the mutex to processes that may outlive us: nobody else gets it until they have ended. */
  bind(pids: readonly number[]): void
  release(): void
}

/** Enough for a server and the processes of one tool. */
const MAX_BYTES = 256 * 1024

interface Holder {
  readonly pid: number
  /** Start time in kernel clock ticks, since process ids are reused. Null when unknown. */
  readonly started: string | null
}

interface MutexContent {
  readonly holders: readonly Holder[]
  readonly owner: string
  readonly expires: number
  readonly token: string
}

const BREAKING_MS = 5_000
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

/**
 * Takes the mutex, waiting if necessary. Throws `EXECUTION_TIMEOUT`, `EXECUTION_CANCELLED` or `WRITE_FAILED`.
 */
export async function acquireMutex(path: string, options: MutexOptions): Promise<HeldMutex> {
  const subject = options.subject ?? `\`${path}\``
  const deadline = performance.now() + options.waitMs
  makeFolderOf(path, options.subject)
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (options.signal?.aborted) {
        throw new AppError('EXECUTION_CANCELLED', `cancelled while waiting for ${subject}`)
      }
      const attempt = tryOnce(path, options)
      if ('held' in attempt) return attempt.held
      if ('broken' in attempt) continue
      if (performance.now() > deadline) {
        throw new AppError('EXECUTION_TIMEOUT', `${subject} is held by ${attempt.owner}`, {
          hint: 'wait for the other run to end; a lock whose owner has ended is taken over',
        })
      }
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    if (code === undefined || thrown instanceof AppError) throw thrown
    const where = options.subject === undefined ? '' : ` at \`${path}\``
    throw new AppError('WRITE_FAILED', `cannot lock ${subject}${where}: ${code}`, { cause: thrown })
  }
}

/** Whether somebody holds it now, as far as we can tell. Never waits and changes nothing. */
export function isMutexHeld(path: string, longestMs: number): boolean {
  let folder: Folder | undefined
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
    folder = Folder.open(dirname(path))
    return !isStale({ folder, name: basename(path) }, longestMs)
  } catch (thrown) {
    // We may not look into the folder.
    if (systemErrorCode(thrown) === undefined) throw thrown
    return false
  } finally {
    folder?.close()
  }
}

function makeFolderOf(path: string, subject: string | undefined): void {
  const folder = dirname(path)
  const needed = subject === undefined ? '' : `, where ${subject} would be locked`
  try {
    makeFolders(folder, 0o700)
  } catch (cause) {
    throw new AppError(
      'WRITE_FAILED',
      `cannot make the folder \`${folder}\`${needed}: ${systemErrorCode(cause)}`,
      {
        hint: 'name a folder that you can write to, which may be new',
        cause,
      },
    )
  }
}

type Attempt = { readonly held: HeldMutex } | { readonly broken: true } | { readonly owner: string }

/** Takes the mutex, breaks a stale one, or says who holds it. The folder stays open while it is held. */
function tryOnce(path: string, { holdMs, longestMs = holdMs }: MutexOptions): Attempt {
  const file = { folder: Folder.open(dirname(path)), name: basename(path) }
  let held: HeldMutex | undefined
  try {
    held = tryMutex(file, holdMs)
    if (held) return { held }
    return breakIfStale(file, longestMs) ? { broken: true } : { owner: describeOwner(file) }
  } finally {
    if (!held) file.folder.close()
  }
}

interface MutexFile {
  readonly folder: Folder
  readonly name: string
}

function tryMutex(file: MutexFile, holdMs: number): HeldMutex | undefined {
  const token = randomBytes(8).toString('hex')
  const content = { holders: [holder(process.pid)], owner: ownerTag(), expires: Date.now() + holdMs, token }
  if (!create(file, JSON.stringify(content))) return undefined
  return {
    bind(pids) {
      const holders = [...content.holders, ...pids.map(holder)]
      if (readMutex(file)?.token !== token) return
      const bound = JSON.stringify({ ...content, holders, expires: Date.now() + holdMs })
      try {
        writeInto(file.folder, file.name, bound, { mode: 0o600 })
      } catch (thrown) {
        // On a full disk the mutex stays as it was, and is still ours.
        if (systemErrorCode(thrown) === undefined) throw thrown
      }
    },
    release() {
      try {
        // If we held it too long, another process may have it by now.
        if (readMutex(file)?.token === token) removeIfThere(file)
      } catch (thrown) {
        // The work is done. The next process sees that our time is over or our process has ended.
        if (systemErrorCode(thrown) === undefined) throw thrown
      } finally {
        file.folder.close()
      }
    },
  }
}

function create(file: MutexFile, content: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file.folder.at(file.name), 'wx', 0o600)
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EEXIST') return false
    throw thrown
  }
  try {
    writeSync(descriptor, content)
  } catch (thrown) {
    // The disk is full: an empty file would be a mutex without an owner.
    removeIfThere(file)
    throw thrown
  } finally {
    closeSync(descriptor)
  }
  return true
}

function breakIfStale(file: MutexFile, longestMs: number): boolean {
  if (!isStale(file, longestMs)) return false
  const breaking = { folder: Folder.open(file.folder.path), name: `${file.name}.break` }
  let breaker: HeldMutex | undefined
  try {
    breaker = tryMutex(breaking, BREAKING_MS)
    if (!breaker) {
      if (isStale(breaking, BREAKING_MS)) removeIfThere(breaking)
      return false
    }
    if (isStale(file, longestMs)) removeIfThere(file)
    // Binding a mutex rewrites its file, and a killed process may have left its temporary file.
    sweepTemporaries(file.folder)
    return true
  } finally {
    // Releasing closes the folder.
    if (breaker) breaker.release()
    else breaking.folder.close()
  }
}

function isStale(file: MutexFile, longestMs: number): boolean {
  const mutex = readMutex(file)
  // Created but not written yet, or left incomplete by a crash.
  if (mutex === undefined) return ageOf(file) > BREAKING_MS
  const isLocal = mutex.owner === ownerTag()
  if (isLocal && !mutex.holders.some(isAlive)) return true
  const isCertain = isLocal && mutex.holders.every(({ started }) => started !== null)
  // Processes do not run while a machine sleeps, so the clock is ignored for an owner known to be alive.
  return !isCertain && (Date.now() > mutex.expires || ageOf(file) > longestMs)
}

function readMutex({ folder, name }: MutexFile): MutexContent | undefined {
  try {
    const mutex: unknown = JSON.parse(readFrom(folder, name, MAX_BYTES)?.bytes.toString() ?? '')
    if (!isRecord(mutex)) return undefined
    const { holders, owner, expires, token } = mutex
    if (!Array.isArray(holders) || !holders.every(isHolder) || typeof expires !== 'number') return undefined
    if (typeof owner !== 'string' || typeof token !== 'string') return undefined
    return { holders, owner, expires, token }
  } catch (thrown) {
    // Not written by us: a link, a device, or other text.
    if (thrown instanceof SyntaxError || thrown instanceof AppError) return undefined
    throw thrown
  }
}

function isHolder(value: unknown): value is Holder {
  if (!isRecord(value) || typeof value.pid !== 'number') return false
  return value.started === null || typeof value.started === 'string'
}

function holder(pid: number): Holder {
  return { pid, started: startOf(pid) }
}

function isAlive({ pid, started }: Holder): boolean {
  return started === null ? isRunning(pid) : startOf(pid) === started
}

/** Field 22 of `/proc/PID/stat`. Null when the process has ended or is a zombie, and outside Linux. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name is in parentheses and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return null
  }
}

/** The older time counts: a program can set the time of modification, but not the time of change. */
function ageOf({ folder, name }: MutexFile): number {
  const stat = lstatSync(folder.at(name), { throwIfNoEntry: false })
  return stat === undefined ? 0 : Date.now() - Math.min(stat.mtimeMs, stat.ctimeMs)
}

function describeOwner(file: MutexFile): string {
  const pid = readMutex(file)?.holders[0]?.pid
  return pid === undefined ? 'an unknown process' : `process ${pid}`
}

function removeIfThere({ folder, name }: MutexFile): void {
  try {
    unlinkSync(folder.at(name))
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
  }
}
