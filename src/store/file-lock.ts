// A lock that holds across processes: a file that names its owner. It is stale when its owner is known to be gone, or
// when the time it was taken for is over. Breaking a stale lock is itself done under a lock, or else two waiters could
// both find it stale and the slower one would break the quicker one's new lock.
import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, isRecord, systemErrorCode } from '../base/index.ts'
import { isRunning, ownerTag } from './temporary-name.ts'

export interface LockOptions {
  /** How long to wait for it. */
  readonly waitMs: number
  /** How long it may be held; after that others may take it. */
  readonly holdMs: number
  readonly signal?: AbortSignal | undefined
}

export interface HeldLock {
  release(): void
}

const BREAKING_MS = 5_000
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

/** Takes the lock, waiting for it if need be. Throws `EXECUTION_TIMEOUT` or `EXECUTION_CANCELLED`. */
export async function acquireLock(path: string, options: LockOptions): Promise<HeldLock> {
  const deadline = performance.now() + options.waitMs
  mkdirSync(dirname(path), { recursive: true })
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const held = tryLock(path, options.holdMs)
    if (held) return held
    if (breakIfStale(path)) continue
    if (options.signal?.aborted)
      throw new AppError('EXECUTION_CANCELLED', `cancelled while waiting for \`${path}\``)
    if (performance.now() > deadline) {
      throw new AppError('EXECUTION_TIMEOUT', `\`${path}\` is held by ${describeOwner(path)}`, {
        hint: 'wait for the other run to end; a lock whose owner is gone is taken over',
      })
    }
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}

function tryLock(path: string, holdMs: number): HeldLock | undefined {
  const token = randomBytes(8).toString('hex')
  const content = { pid: process.pid, owner: ownerTag(), expires: Date.now() + holdMs, token }
  if (!create(path, JSON.stringify(content))) return undefined
  return {
    release() {
      // Held too long, it may be somebody else's by now.
      if (readLock(path)?.token === token) removeIfThere(path)
    },
  }
}

function create(path: string, content: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', 0o600)
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EEXIST') return false
    throw thrown
  }
  try {
    writeSync(descriptor, content)
  } finally {
    closeSync(descriptor)
  }
  return true
}

function breakIfStale(path: string): boolean {
  if (!isStale(path)) return false
  const breaker = `${path}.break`
  if (!create(breaker, '')) {
    if (ageOf(breaker) > BREAKING_MS) removeIfThere(breaker)
    return false
  }
  try {
    if (isStale(path)) removeIfThere(path)
    return true
  } finally {
    removeIfThere(breaker)
  }
}

function isStale(path: string): boolean {
  const lock = readLock(path)
  // Created and not yet written, or cut short by a crash.
  if (lock === undefined) return ageOf(path) > BREAKING_MS
  if (Date.now() > lock.expires) return true
  return lock.owner === ownerTag() && !isRunning(lock.pid)
}

function readLock(path: string): { pid: number; owner: string; expires: number; token: string } | undefined {
  try {
    const lock: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isRecord(lock)) return undefined
    const { pid, owner, expires, token } = lock
    if (typeof pid !== 'number' || typeof expires !== 'number') return undefined
    if (typeof owner !== 'string' || typeof token !== 'string') return undefined
    return { pid, owner, expires, token }
  } catch (thrown) {
    if (thrown instanceof SyntaxError || systemErrorCode(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

function ageOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs
}

function describeOwner(path: string): string {
  const lock = readLock(path)
  return lock ? `process ${lock.pid}` : 'an unknown process'
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
  }
}
