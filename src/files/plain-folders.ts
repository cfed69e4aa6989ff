// The folders between a root and a path are real folders. A link among them would lead a read or a write
// out of the space. The root itself may be a link: its owner chose it.
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'

/** The folders below `root` on the way to `path`, outermost first; `path` itself is not among them. */
export function foldersBetween(root: string, path: string): string[] {
  const segments = relative(root, path).split(sep)
  if (segments[0] === '..' || segments[0] === '') throw new Error(`unreachable: ${path} is not below ${root}`)
  return segments.slice(0, -1).map((_, index) => join(root, ...segments.slice(0, index + 1)))
}

/** The first path between `root` and `path` that is there and is no real folder, if any. */
export function findNonFolder(root: string, path: string): string | undefined {
  return foldersBetween(root, path).find(folder => {
    const stat = lstatSync(folder, { throwIfNoEntry: false })
    return stat !== undefined && !stat.isDirectory()
  })
}

/**
 * Makes the missing folders below `root` on the way to `path`, durably; throws `WRITE_FAILED` where there is something else.
 * Each is checked before the next is made: not even an empty folder may be made behind a link.
 */
export function makeFolders(root: string, path: string, mode = 0o755): void {
  for (const folder of foldersBetween(root, path)) {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) makeFolder(folder, mode)
    checkFolder(folder)
  }
}

function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process was faster; what it made is checked like any other.
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
  syncFolder(dirname(folder))
}

export function checkFolder(folder: string): void {
  if (lstatSync(folder).isDirectory()) return
  throw new AppError('WRITE_FAILED', `cannot write below \`${folder}\`: it is not a plain folder`, {
    hint: 'there is a link or a file where a folder is expected; remove it',
  })
}

export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return // a folder cannot be opened there
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some network and user-space file systems cannot sync a folder; they answer EINVAL.
    if (systemErrorCode(error) !== 'EINVAL') throw error
  } finally {
    closeSync(descriptor)
  }
}
