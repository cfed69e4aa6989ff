// The one durable write: a temporary file in the same folder, synced, renamed over the target, folder synced.
// A reader sees the old file or the new one, also after a crash. Nothing is ever written in place, so a link
// planted at the target is replaced, not followed. Synchronous: one writer is bound by fsync, and the detour
// through the thread pool costs a quarter of the rate.
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
  /** Permission bits; without it those of the file that is replaced, else what the umask leaves. */
  readonly mode?: number
  /** Permission bits of folders that have to be made; 0755 without it. */
  readonly folderMode?: number
  /** `absent`: an existing target is an error, `ITEM_EXISTS`. */
  readonly expect?: 'absent'
  /** Folders already swept of old temporaries; a batch passes one set to all its writes. */
  readonly swept?: Set<string>
}

/** Writes a file so that it is there whole and durable when this returns, or throws `WRITE_FAILED`. */
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
  // `wx` never opens what is already there. A known mode is narrowed first, so that nobody else can open the
  // file before it has it; an unknown one is left to the umask.
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

/** Clears up after a failure, whose error must not be replaced by that of the clearing. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Never made, already renamed, or on a disk that refuses everything: the next write sweeps it.
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your disk quota is used up; free some space and try again',
  EROFS: 'the file system is read-only',
  EACCES: 'you may not write to that folder; check its permissions',
  EPERM: 'you may not write to that folder; check its permissions',
  ENOENT: 'the folder vanished while writing; try again',
  ENOTDIR: 'a file stands where a folder should',
  EISDIR: 'a folder stands where the file should',
  EMFILE: 'too many files are open; close some programs and try again',
}

function asAppError(error: unknown, path: string): unknown {
  const code = systemErrorCode(error)
  if (error instanceof AppError || code === undefined) return error
  if (code === 'EEXIST') return new AppError('ITEM_EXISTS', `\`${path}\` exists already`, { cause: error })
  const hint = Object.hasOwn(HINTS, code) ? HINTS[code] : undefined
  return new AppError('WRITE_FAILED', `cannot write \`${path}\`: ${code}`, {
    ...(hint && { hint }),
    cause: error,
  })
}
