// A whole folder of files: written where nothing is, and removed with everything in it.
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { asAppError, type WriteOptions, writeSynced } from './atomic-write.ts'
import { type Folder, inFolderOf, NotAFolder, openFolder, syncFolder } from './folder.ts'

export interface WriteTreeOptions extends Pick<WriteOptions, 'root'> {
  /** Permission bits of a file, by its path below the folder. Without it, what the umask allows. */
  readonly modeFor?: (path: string) => number | undefined
}

/**
 * `files` is keyed by path below the folder, with `/`. Complete and durable when this returns, apart from the
 * folder's own name. Throws `WRITE_FAILED`.
 */
export function writeTree(
  path: string,
  files: ReadonlyMap<string, Uint8Array>,
  { root, modeFor }: WriteTreeOptions,
): void {
  let current = path
  try {
    const folders = byFolder(files.keys())
    for (const [below, names] of folders) {
      const folder = openFolder(join(path, below), root, enterOrMake)
      try {
        for (const name of names) {
          const file = below === '' ? name : `${below}/${name}`
          current = join(path, file)
          writeSynced(folder.at(name), files.get(file)!, modeFor?.(file))
        }
      } finally {
        folder.close()
      }
    }
    // Each is synced once, in any order: nobody knows the folder by its name yet.
    for (const below of folders.keys()) syncFolder(join(path, below), root)
  } catch (thrown) {
    throw asAppError(thrown, current)
  }
}

/** File names by folder, `''` for the outermost. Includes folders that contain only folders. */
function byFolder(paths: Iterable<string>): Map<string, string[]> {
  const folders = new Map<string, string[]>([['', []]])
  const namesIn = (folder: string): string[] => {
    const names = folders.get(folder) ?? []
    if (!folders.has(folder)) {
      namesIn(above(folder))
      folders.set(folder, names)
    }
    return names
  }
  for (const path of paths) namesIn(above(path)).push(basename(path))
  return folders
}

function above(path: string): string {
  return path.includes('/') ? dirname(path) : ''
}

function enterOrMake(folder: Folder, name: string): Folder {
  try {
    return folder.enter(name)
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
  }
  mkdirSync(folder.at(name), { mode: 0o755 })
  return folder.enter(name)
}

/** Anything nested deeper is left in place: each level holds an open folder. */
const MOST_LEVELS = 200

/**
 * Removes a folder with all its content, or a file or link; follows no link. What cannot be removed stays.
 */
export function removeTree(path: string, { root }: Pick<WriteOptions, 'root'>): void {
  try {
    inFolderOf(path, root, (folder, name) => removeFrom(folder, name))
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined && !(thrown instanceof NotAFolder)) throw thrown
  }
}

function removeFrom(folder: Folder, name: string, depth = 0): void {
  if (depth > MOST_LEVELS) return
  if (!lstatSync(folder.at(name)).isDirectory()) {
    unlinkSync(folder.at(name))
    return
  }
  const inner = folder.enter(name)
  try {
    for (const one of inner.names()) removeFrom(inner, one, depth + 1)
  } finally {
    inner.close()
  }
  rmdirSync(folder.at(name))
}
