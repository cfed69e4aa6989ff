// The one durable write: a temporary file in the same folder, synced, renamed over the target, folder synced.
// A reader sees the old file or the new one, also after a crash. Nothing is ever written in place, so a link
// planted at the target is replaced, not followed. Synchronous: a single writer waits for
// fsync anyway, and going through the thread pool makes it a quarter slower.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { checkFolder, foldersBetween, makeFolders, syncFolder } from './plain-folders.ts'
import { sweepTemporaries, temporaryName } from './temporary-name.ts'

export interface WriteOptions {
  /** An existing folder. Folders between it and the target must be real ones; missing ones are made. */
  readonly root: string
  /** Permission bits; by default those of the file that is replaced, otherwise what the umask allows. */
  readonly mode?: number
  /** Permission bits of folders that have to be made; 0755 by default. */
  readonly folderMode?: number
  /** `absent`: an existing target is an error, `ITEM_EXISTS`. */
  readonly expect?: 'absent'
  /** Folders already swept of old temporaries; a batch passes one set to all its writes. */
  readonly swept?: Set<string>
}

/** Writes a file: complete and durable when this returns. Throws `WRITE_FAILED`. */
export function atomicWrite(path: string, content: Uint8Array | string, options: WriteOptions): void {
  const folder = dirname(path)
  const temporary = join(folder, temporaryName(randomBytes(8).toString('hex')))
  try {
    makeFolders(options.root, path, options.folderMode)
    if (!options.swept?.has(folder)) sweepTemporaries(folder)
    options.swept?.add(folder)
    writeSynced(temporary, content, options.mode ?? modeOf(path))
    if (options.expect === 'absent') {
      linkSync(temporary, path)
      removeQuietly(temporary)
    } else {
      renameSync(temporary, path)
    }
    syncFolder(folder)
  } catch (error) {
    removeQuietly(temporary)
    throw asAppError(error, path)
  }
}

/** Removes a file durably; false when there was none. */
export function removeFile(path: string, options: Pick<WriteOptions, 'root'>): boolean {
  try {
    for (const folder of foldersBetween(options.root, path)) checkFolder(folder)
    unlinkSync(path)
    syncFolder(dirname(path))
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw asAppError(error, path)
  }
}

/** Signing a script must leave it executable. */
function modeOf(path: string): number | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.mode & 0o777 : undefined
}

function writeSynced(path: string, content: Uint8Array | string, mode: number | undefined): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  // `wx` never opens an existing file. A known mode is narrowed first, so that nobody else can open the file before it
  // has its final mode; an unknown one is left to the umask.
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

/** Cleans up after a failure; an error of its own must not hide that one. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It was never made or is already renamed, or the disk refuses everything: the next write sweeps it.
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your disk quota is used up; free some space and try again',
  EROFS: 'the file system is read-only',
  EACCES: 'you may not write to that folder; check its permissions',
  EPERM: 'you may not write to that folder; check its permissions',
  ENOENT: 'the folder was removed while writing; try again',
  ENOTDIR: 'there is a file where a folder is expected',
  EISDIR: 'there is a folder where the file is expected',
  EMFILE: 'too many files are open; close some programs and try again',
}

function asAppError(error: unknown, path: string): unknown {
  const code = systemErrorCode(error)
  if (error instanceof AppError || code === undefined) return error
  if (code === 'EEXIST') return new AppError('ITEM_EXISTS', `\`${path}\` already exists`, { cause: error })
  const hint = Object.hasOwn(HINTS, code) ? HINTS[code] : undefined
  return new AppError('WRITE_FAILED', `cannot write \`${path}\`: ${code}`, {
    ...(hint && { hint }),
    cause: error,
  })
}
