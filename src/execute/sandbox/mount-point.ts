// A directory made at a protected path that does not exist, so that a sandbox can mount something there.
// Servers share it without knowing of each other, and removing it would detach the mount in all their
// sandboxes. So before it is set up, each sandbox puts a hold into it, an empty directory: as long as there
// is one, `rmdir` fails. And it is removed only when no process has a mount there, because processes inside
// may outlive their sandbox, and the server, by a moment.
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, type Stats } from 'node:fs'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { isRunning, ownerTag } from '../../files/index.ts'
import { delay } from '../process/deadline.ts'

export interface MountPoint {
  /** False once somebody outside has put something there, which must then be protected. */
  readonly isEmpty: boolean
  /** Settles when the directory is gone, or left to another user of it or to the next run. Never rejects. */
  release(): Promise<void>
}

// `mkdir` sets the sticky bit in the same step, so a directory of ours is recognised even if we die right
// after. An empty directory of the user has no such bit: it is mounted over too, and stays.
const MODE = 0o1700
/** The mode of guard files (`guarded-file.ts`). The system ignores the sticky bit on files. */
export const FILE_MODE = 0o1600
/** Ignores the bits that a parent directory may add. */
const COMPARED = 0o1777
const HOLD = /^\.rye-(?<owner>[0-9a-f]{8})-(?<pid>\d{1,10})-[0-9a-f]{16}\.(?<kind>hold|removing)$/
const MOST_TRIES = 100
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 640

/**
 * Null when there is nothing to hold: the path has content of its own, or is absent and nobody could create
 * it. `vacate` is called before the directory is removed, while nobody else can hold it.
 */
export function holdMountPoint(path: string, mayCreate: boolean, vacate?: () => void): MountPoint | null {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const made = mayCreate && makeDirectory(path)
    const stat = statOf(path)
    if (!stat?.isDirectory()) {
      // It was there a moment ago: another server has just removed it.
      if (stat === undefined && made !== false) continue
      return null
    }
    const ours = made === true || isOurs(stat)
    try {
      if (!ours && !(mayCreate && isVacant(path))) return null
      const hold = nameHold(path, 'hold')
      mkdirSync(hold, 0o700)
      // Another server is about to remove the directory. It looks for holds after it has announced that, and
      // we look for the announcement after we have made our hold: one of us sees the other.
      if (isBeingRemoved(path)) {
        rmdirSync(hold)
        continue
      }
      return { isEmpty: isVacant(path), release: () => releaseHold(path, hold, ours, vacate) }
    } catch (thrown) {
      const code = systemErrorCode(thrown)
      if (code === 'ENOENT') continue
      // It belongs to another user: not ours to hold or to remove. It is still mounted over, or a tool could
      // replace it.
      if (isForbidden(code)) return { isEmpty: true, release: async () => {} }
      throw unprotected(path, thrown)
    }
  }
  throw unprotected(path)
}

/** True when made, null when something was there, false when neither we nor a tool could make it. */
function makeDirectory(path: string): boolean | null {
  try {
    mkdirSync(path, MODE)
    return true
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    if (code === 'EEXIST') return null
    if (code === 'ENOENT' || code === 'ENOTDIR' || isForbidden(code)) return false
    throw unprotected(path, thrown)
  }
}

/**
 * The state of the path itself, links not followed. Undefined if there is nothing, or nothing that we may
 * see.
 */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** A directory that a user shares has the sticky bit as well, but with other bits. */
export function isOurs(stat: Stats): boolean {
  return (stat.mode & COMPARED) === (stat.isDirectory() ? MODE : FILE_MODE)
}

/** How long an ended run may take to remove its directory. */
const SETTLED_MS = 5_000

/** Whether it is a directory of ours that nobody uses any more, because its maker was killed. */
export function isLeftBehind(path: string): boolean {
  const stat = statOf(path)
  if (!stat?.isDirectory() || !isOurs(stat)) return false
  try {
    const names = readdirSync(path)
    if (names.length === 0 && Date.now() - stat.mtimeMs < SETTLED_MS) return false
    return names.every(isStaleHold) && !isMounted(path)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return false
  }
}

function isForbidden(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
}

function isVacant(path: string): boolean {
  return readdirSync(path).every(name => HOLD.test(name))
}

function unprotected(path: string, cause?: unknown): AppError {
  const why = cause === undefined ? '' : `: ${systemErrorCode(cause) ?? 'unknown'}`
  return new AppError('EXECUTION_FAILED', `\`${path}\` cannot be protected from the tool${why}`, { cause })
}

function nameHold(path: string, kind: 'hold' | 'removing'): string {
  return `${path}/.rye-${ownerTag()}-${process.pid}-${randomBytes(8).toString('hex')}.${kind}`
}

function isBeingRemoved(path: string): boolean {
  return readdirSync(path).some(name => {
    const match = HOLD.exec(name)?.groups
    return match?.kind === 'removing' && match.owner === ownerTag() && isRunning(Number(match.pid))
  })
}

async function releaseHold(
  path: string,
  hold: string,
  ours: boolean,
  vacate: (() => void) | undefined,
): Promise<void> {
  try {
    rmdirSync(hold)
    for (let pause = FIRST_PAUSE_MS; pause <= LONGEST_PAUSE_MS; pause *= 2) {
      // The processes inside end a moment after the sandbox, and the next run may need the directory again.
      await delay(pause)
      sweepHolds(path)
      if (!ours || readdirSync(path).length > 0) return
      if (isMounted(path)) continue
      if (vacate) vacateUnheld(path, vacate)
      rmdirSync(path)
      return
    }
  } catch (thrown) {
    // Gone, held again or filled in the meantime: another user of it, or the next run, takes care of it.
    if (systemErrorCode(thrown) === undefined) throw thrown
  }
}

function vacateUnheld(path: string, vacate: () => void): void {
  const marker = nameHold(path, 'removing')
  mkdirSync(marker, 0o700)
  try {
    if (readdirSync(path).length === 1) vacate()
  } finally {
    rmdirSync(marker)
  }
}

// Removes the holds that killed servers left. If a sandbox of theirs is still ending, there is still a mount.
function sweepHolds(path: string): void {
  for (const name of readdirSync(path)) {
    if (!isStaleHold(name)) continue
    try {
      rmdirSync(`${path}/${name}`)
    } catch (thrown) {
      // Another server was faster.
      if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
    }
  }
}

function isStaleHold(name: string): boolean {
  const match = HOLD.exec(name)?.groups
  return match?.owner === ownerTag() && !isRunning(Number(match.pid))
}

/** Whether any process of this machine has something mounted at `path`, in any mount namespace. */
function isMounted(path: string): boolean {
  // The path as the kernel prints it: four characters in octal, and a space at the end. What comes before it
  // is not compared, because a sandbox that is being set up has it below another root.
  const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
  const entry = Buffer.from(`${path.replace(/[ \t\n\\]/g, octal)} `).toString('latin1')
  const seen = new Set([mountNamespace('self')])
  return readdirSync('/proc').some(pid => {
    if (!/^\d+$/.test(pid)) return false
    const namespace = mountNamespace(pid)
    if (namespace !== null && seen.has(namespace)) return false
    try {
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'latin1')
      seen.add(namespace)
      return mounts.includes(entry)
    } catch {
      // The process has ended.
      return false
    }
  })
}

function mountNamespace(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`)
  } catch {
    return null
  }
}
