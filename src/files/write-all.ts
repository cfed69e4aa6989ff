// Writes many files, all or none. Every file is on disk under a temporary name before the first is put into
// place. If putting them into place fails, it is undone: replaced files keep a second name until the end.
import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { asAppError, modeOf, openMade, writeSynced } from './atomic-write.ts'
import { type Folder, inFolderOf, NotAFolder, openFolder, syncFolder } from './folder.ts'
import { sweepTemporaries, temporaryName } from './temporary-name.ts'

export interface WriteAllOptions {
  /** An existing folder. Folders between it and the files must be real ones; missing ones are made. */
  readonly root: string
  /** Permission bits of a new file. Without it, what the umask allows. */
  readonly modeFor?: (content: Uint8Array, path: string) => number | undefined
  /** Called with the share (0 to 1) of files that are on disk. */
  readonly onShare?: (share: number) => void
}

interface Staged {
  readonly path: string
  readonly temporary: string
  /** A second name of the replaced file. */
  backup?: string
  isPlaced: boolean
}

/** `files` is keyed by absolute path. Throws `WRITE_FAILED`, after restoring everything as it was. */
export function writeAll(
  files: ReadonlyMap<string, Uint8Array>,
  { root, onShare, modeFor }: WriteAllOptions,
): void {
  const made: string[] = []
  const staged: Staged[] = []
  let current = ''
  try {
    for (const [path, bytes] of files) {
      current = path
      staged.push(stage(path, bytes, { root, made, mode: modeFor?.(bytes, path) }))
      onShare?.(staged.length / files.size)
    }
    for (const file of staged) {
      current = file.path
      inFolderOf(file.path, root, folder => place(folder, file))
    }
    for (const folder of new Set(staged.map(({ path }) => dirname(path)))) syncFolder(folder, root)
  } catch (thrown) {
    for (const file of staged.reverse())
      quietly(() => inFolderOf(file.path, root, folder => putBack(folder, file)))
    for (const path of made.reverse())
      quietly(() => inFolderOf(path, root, (folder, name) => rmdirSync(folder.at(name))))
    throw asAppError(thrown, current)
  }
  for (const { path, backup } of staged) {
    if (backup !== undefined) quietly(() => inFolderOf(path, root, folder => unlinkSync(folder.at(backup))))
  }
}

/** Removes what a killed run left in the folders of these files: temporary files and second names. */
export function sweepFolders(paths: Iterable<string>, root: string): void {
  for (const path of new Set(Array.from(paths, dirname))) {
    quietly(() => {
      const folder = openFolder(path, root)
      try {
        sweepTemporaries(folder)
      } finally {
        folder.close()
      }
    })
  }
}

interface Staging {
  readonly root: string
  readonly made: string[]
  readonly mode: number | undefined
}

function stage(path: string, bytes: Uint8Array, { root, made, mode }: Staging): Staged {
  const folder = openMade(dirname(path), { root }, made)
  const temporary = newName()
  try {
    writeSynced(folder.at(temporary), bytes, modeOf(folder.at(basename(path))) ?? mode)
  } catch (thrown) {
    quietly(() => unlinkSync(folder.at(temporary)))
    throw thrown
  } finally {
    folder.close()
  }
  return { path, temporary, isPlaced: false }
}

function place(folder: Folder, file: Staged): void {
  const target = folder.at(basename(file.path))
  const there = lstatSync(target, { throwIfNoEntry: false })
  // A folder cannot have a second name: its backup would be its only one.
  if (there?.isDirectory()) throw Object.assign(new Error('a folder is there'), { code: 'EISDIR' })
  if (there) {
    const backup = newName()
    keep(target, folder.at(backup))
    file.backup = backup
  }
  renameSync(folder.at(file.temporary), target)
  file.isPlaced = true
}

/** Gives the file a second name. Where the file system has no hard links, it is renamed instead. */
function keep(target: string, backup: string): void {
  try {
    linkSync(target, backup)
  } catch (thrown) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(systemErrorCode(thrown) ?? '')) throw thrown
    renameSync(target, backup)
  }
}

function putBack(folder: Folder, { path, temporary, backup, isPlaced }: Staged): void {
  const target = folder.at(basename(path))
  if (!isPlaced) quietly(() => unlinkSync(folder.at(temporary)))
  if (backup === undefined) {
    if (isPlaced) unlinkSync(target)
    return
  }
  renameSync(folder.at(backup), target)
  // If the new file was never put into place, both names are the same file, and renaming one over the other
  // does nothing. So the backup name has to be removed.
  quietly(() => unlinkSync(folder.at(backup)))
}

function newName(): string {
  return temporaryName(randomBytes(8).toString('hex'))
}

/** Cleans up after a failure, without hiding its error. The next write sweeps what is left. */
function quietly(act: () => void): void {
  try {
    act()
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined && !(thrown instanceof NotAFolder)) throw thrown
  }
}
