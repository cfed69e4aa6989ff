// A file made at a protected path that does not exist, where a directory would disturb other programs. They
// find a text in it that changes nothing for them, or they skip it, because it is a socket that nobody
// listens to. It is removed together with a mount point beside it: whoever holds the mount point needs the
// file.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname } from 'node:path'
import { systemErrorCode } from '../../base/index.ts'
import { FILE_MODE, holdMountPoint, isLeftBehind, isOurs, type MountPoint, statOf } from './mount-point.ts'

export interface GuardedFile {
  /** Must be hidden from the tool, which could otherwise give up the hold on the file. */
  readonly directory: string
  readonly mountPoint: MountPoint
}

/** Linux only; Node has no name for it. */
const O_PATH = 0o10000000

export type FileGuard = 'socket' | { readonly text: string }

/** Null when there is a file already, or when nobody could make one. */
export function holdFile(path: string, guard: FileGuard): GuardedFile | null {
  const stat = statOf(path)
  if (stat && !isGuard(stat, guard)) return null
  const directory = directoryOf(path)
  const mountPoint = holdMountPoint(directory, true, () => removeOurs(path, guard))
  if (mountPoint === null) return null
  try {
    const there = statOf(path)
    if (!there || !isGuard(there, guard)) makeFile(path, guard)
  } catch (thrown) {
    void mountPoint.release()
    throw thrown
  }
  return { directory, mountPoint }
}

/**
 * What is left of a guard that nobody needs any more, because its maker was killed: the file, and the mount
 * point beside it.
 */
export function leftOfFile(path: string, guard: FileGuard): string[] {
  const directory = directoryOf(path)
  const isLeft = isLeftBehind(directory)
  const isFileLeft = isAsMade(path, guard) && (isLeft || statOf(directory) === undefined)
  return [...(isFileLeft ? [path] : []), ...(isLeft ? [directory] : [])]
}

function directoryOf(path: string): string {
  return `${dirname(path)}/.rye-guard-${basename(path)}`
}

/** The file is complete at once: a reader never sees half of it. */
function makeFile(path: string, guard: FileGuard): void {
  const unfinished = `${dirname(path)}/.rye-guard-${randomBytes(8).toString('hex')}`
  try {
    if (guard === 'socket') makeSocket(unfinished, () => linkSync(unfinished, path))
    else {
      writeFileSync(unfinished, guard.text, { flag: 'wx', mode: FILE_MODE })
      linkSync(unfinished, path)
    }
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'EEXIST') throw thrown
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/**
 * Git neither lists nor adds a socket, and opening one fails at once, where opening a pipe would wait.
 * Closing the server removes its path, so the socket must get its lasting name before that.
 */
function makeSocket(path: string, giveName: () => void): void {
  // A socket address has room for a hundred bytes, which a path may exceed.
  const directory = openSync(dirname(path), constants.O_DIRECTORY)
  const server = createServer()
  try {
    // The socket is bound before `listen` returns. If it is not, `changeMode` fails.
    server.on('error', () => {})
    server.listen({ path: `/proc/self/fd/${directory}/${basename(path)}`, exclusive: true })
    changeMode(path)
    giveName()
  } finally {
    server.close()
    closeSync(directory)
  }
}

/** Changes the file itself, never through a link: another tool that runs here may put one in its place. */
function changeMode(path: string): void {
  const file = openSync(path, O_PATH | constants.O_NOFOLLOW)
  try {
    if (!fstatSync(file).isSocket()) throw Object.assign(new Error('replaced meanwhile'), { code: 'EEXIST' })
    chmodSync(`/proc/self/fd/${file}`, FILE_MODE)
  } finally {
    closeSync(file)
  }
}

function isGuard(stat: Stats, guard: FileGuard): boolean {
  return isOurs(stat) && (guard === 'socket' ? stat.isSocket() : stat.isFile())
}

function isAsMade(path: string, guard: FileGuard): boolean {
  const stat = statOf(path)
  return stat !== undefined && isGuard(stat, guard) && (guard === 'socket' || stat.size === guard.text.length)
}

function removeOurs(path: string, guard: FileGuard): void {
  if (isAsMade(path, guard)) unlinkSync(path)
}
