// The one durable write: a temporary file in the same folder, synced, renamed over the target, folder synced.
// A reader sees the old file or the new one, even after a crash. Nothing is ever written in place, so a link
// planted at the target is replaced, not followed. Everything goes through the open folder of the target, so
// no link planted on the way to it leads elsewhere. Synchronous, because a single writer waits for fsync
// anyway, and the thread pool makes it a quarter slower.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { existingFolder } from './can-write.ts'
import { type Folder, inFolderOf, NotAFolder, openFolder } from './folder.ts'
import { sweepTemporaries, temporaryName } from './temporary-name.ts'

export interface WriteOptions {
  /**
   * An existing folder. Folders between it and the target must be real; missing ones are made, unless
   * `makeFolders` is false.
   */
  readonly root: string
  /** False when changing an existing file: if its folder is missing now, it has been removed since. */
  readonly makeFolders?: boolean
  /** Permission bits. Defaults to those of the replaced file, otherwise to what the umask allows. */
  readonly mode?: number
  /** Permission bits of folders that are made; 0755 by default. */
  readonly folderMode?: number
  /** `absent`: an existing target is an error, `ITEM_EXISTS`. */
  readonly expect?: 'absent'
  /** Folders already swept of old temporaries; a batch passes one set to all its writes. */
  readonly swept?: Set<string>
}

/** Writes a file: complete and durable when this returns. Throws `WRITE_FAILED`. */
export function atomicWrite(path: string, content: Uint8Array | string, options: WriteOptions): void {
  const { swept } = options
  try {
    const parent = dirname(path)
    const folder =
      options.makeFolders === false ? openFolder(parent, options.root) : openMade(parent, options)
    try {
      if (!swept?.has(folder.path)) sweepTemporaries(folder)
      swept?.add(folder.path)
      writeInto(folder, basename(path), content, options)
    } finally {
      folder.close()
    }
  } catch (error) {
    throw asAppError(error, path)
  }
}

/** Makes a folder and missing folders above it; true when it was not there. Throws `WRITE_FAILED`. */
export function makeFolder(path: string, options: Pick<WriteOptions, 'root' | 'folderMode'>): boolean {
  const made: string[] = []
  try {
    openMade(path, options, made).close()
  } catch (error) {
    throw asAppError(error, path)
  }
  return made.includes(path)
}

/** Removes a file durably; false when there was none. */
export function removeFile(path: string, options: Pick<WriteOptions, 'root'>): boolean {
  try {
    inFolderOf(path, options.root, (folder, name) => {
      unlinkSync(folder.at(name))
      folder.sync()
    })
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw asAppError(error, path)
  }
}

/** Removes a folder that is empty; anything else stays as it is. */
export function removeEmptyFolder(path: string, options: Pick<WriteOptions, 'root'>): void {
  try {
    inFolderOf(path, options.root, (folder, name) => rmdirSync(folder.at(name)))
  } catch {
    // It has entries, or it is not ours to remove.
  }
}

/** Puts a file into an open folder in one step. */
export function writeInto(
  folder: Folder,
  name: string,
  content: Uint8Array | string,
  { mode, expect }: Pick<WriteOptions, 'mode' | 'expect'>,
): void {
  const [target, temporary] = [folder.at(name), folder.at(temporaryName(randomBytes(8).toString('hex')))]
  try {
    writeSynced(temporary, content, mode ?? modeOf(target))
    if (expect === 'absent') {
      linkSync(temporary, target)
      removeQuietly(temporary)
    } else {
      renameSync(temporary, target)
    }
    folder.sync()
  } catch (error) {
    removeQuietly(temporary)
    throw error
  }
}

/**
 * Opens a folder. Missing folders on the way are made, durably. Each is entered before the next is made, so
 * not even an empty folder is made behind a link.
 */
export function openMade(
  path: string,
  { root, folderMode }: Pick<WriteOptions, 'root' | 'folderMode'>,
  made: string[] = [],
): Folder {
  return openFolder(path, root, (folder, name) => {
    try {
      return folder.enter(name)
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error
    }
    if (makeIn(folder, name, folderMode)) {
      made.push(join(folder.path, name))
      folder.sync()
    }
    return folder.enter(name)
  })
}

function makeIn(folder: Folder, name: string, mode = 0o755): boolean {
  try {
    mkdirSync(folder.at(name), { mode })
  } catch (error) {
    // Another process was faster; its folder is entered like any other.
    if (systemErrorCode(error) !== 'EEXIST') throw error
    return false
  }
  return true
}

/** The permission bits of a file; undefined when there is none. Signing a script must leave it executable. */
export function modeOf(path: string): number | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? stat.mode & 0o777 : undefined
  } catch (thrown) {
    // A parent of the path is a file, so there is no file here.
    if (systemErrorCode(thrown) !== 'ENOTDIR') throw thrown
    return undefined
  }
}

export function isExecutable(path: string): boolean {
  return ((modeOf(path) ?? 0) & 0o100) !== 0
}

export function writeSynced(path: string, content: Uint8Array | string, mode: number | undefined): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  // `wx` never opens an existing file. A known mode is narrowed first, so that nobody else can open the file
  // before it has its final mode; an unknown one is left to the umask.
  const descriptor = openSync(path, 'wx', mode === undefined ? 0o666 : mode & 0o700)
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written, bytes.length - written)
    }
    if (mode !== undefined) fchmodSync(descriptor, mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Cleans up after a failure. An error here must not hide the original one. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The file was never made, is already renamed, or the disk refuses everything; the next write sweeps it.
  }
}

/** FOLDER is replaced by the innermost folder that exists. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your disk quota is used up; free some space and try again',
  EROFS: 'the file system of FOLDER is read-only',
  EACCES: 'you may not write to FOLDER; check its permissions',
  EPERM: 'you may not write to FOLDER; check its permissions',
  ENOENT: 'the folder was removed while writing; try again',
  ENOTDIR: 'there is a file where a folder is expected',
  EISDIR: 'there is a folder where the file is expected',
  EMFILE: 'too many files are open; close some programs and try again',
}

export function asAppError(error: unknown, path: string): unknown {
  if (error instanceof NotAFolder) {
    return new AppError('WRITE_FAILED', `cannot write below \`${error.path}\`: it is not a plain folder`, {
      hint: 'there is a link or a file where a folder is expected; remove it',
    })
  }
  const code = systemErrorCode(error)
  if (code === undefined) return error
  if (code === 'EEXIST') return new AppError('ITEM_EXISTS', `\`${path}\` already exists`, { cause: error })
  const hint = hintFor(code, dirname(path))
  return new AppError('WRITE_FAILED', `cannot write \`${path}\`: ${code}`, {
    ...(hint && { hint }),
    cause: error,
  })
}

function hintFor(code: string, folder: string): string | undefined {
  const existing = existingFolder(folder)
  if (code === 'ENOENT' && existing !== folder)
    return `there is no folder \`${folder}\`; make it, or choose another`
  return Object.hasOwn(HINTS, code) ? HINTS[code]!.replace('FOLDER', `\`${existing}\``) : undefined
}
