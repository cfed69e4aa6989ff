// The one way to read a file that somebody else may have put there. It is opened once, and the open file is
// checked and read: no link is followed, not even one that replaces a folder meanwhile; no fifo or device can
// block the reader; and the size is known before the first byte is read.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { type Folder, inFolderOf, NotAFolder, openBelow } from './folder.ts'

export interface ReadOptions {
  /** Larger files are refused before a byte is read. */
  readonly maxBytes: number
  /** When given, all folders between this root and the file must be real folders. */
  readonly root?: string
}

export interface ReadFile {
  readonly bytes: Buffer
  readonly stat: Stats
}

// The optional flags are absent on Windows, where links need a privilege and the file system has no fifos.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The file's bytes as they were when it was opened, or undefined when there is no such file. */
export function readFile(path: string, { root, maxBytes }: ReadOptions): ReadFile | undefined {
  try {
    if (root === undefined) return readOpened(path, openSync(path, FLAGS), maxBytes)
    const descriptor = openBelow(path, root, FLAGS)
    if (descriptor !== undefined) return readOpened(path, descriptor, maxBytes)
    return inFolderOf(path, root, (folder, name) =>
      readOpened(path, openSync(folder.at(name), FLAGS), maxBytes),
    )
  } catch (error) {
    return explain(path, error)
  }
}

/** A file that is opened once and read piece by piece; a file that replaces it meanwhile is not read. */
export interface OpenedFile {
  readonly size: number
  /** Throws when the file has become shorter, or was closed. */
  read(from: number, length: number): Buffer
  close(): void
}

/** Undefined when there is no such file. */
export function openFile(path: string, maxBytes: number): OpenedFile | undefined {
  try {
    let descriptor: number | undefined = openSync(path, FLAGS)
    const close = () => {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    }
    try {
      const { size } = checkOpened(path, descriptor, maxBytes)
      const read = (from: number, length: number) => {
        if (descriptor === undefined) throw unreadable(path, 'it was closed')
        const bytes = readAll(descriptor, length, from)
        if (bytes.length < length) throw unreadable(path, 'it has become shorter')
        return bytes
      }
      return { size, read, close }
    } catch (error) {
      close()
      throw error
    }
  } catch (error) {
    return explain(path, error)
  }
}

/** Reads a file by its name in an open folder; undefined when there is none. */
export function readFrom(folder: Folder, name: string, maxBytes: number): ReadFile | undefined {
  const path = join(folder.path, name)
  try {
    return readOpened(path, openSync(folder.at(name), FLAGS), maxBytes)
  } catch (error) {
    return explain(path, error)
  }
}

/** Returns undefined when there is no such file. Any other error is thrown as one that names the path. */
function explain(path: string, error: unknown): undefined {
  if (error instanceof AppError) throw error
  if (error instanceof NotAFolder) throw unreadable(path, error.message)
  const code = systemErrorCode(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
  if (code === 'ELOOP') throw unreadable(path, 'it is a symbolic link', error)
  throw unreadable(path, code ?? String(error), error)
}

function readOpened(path: string, descriptor: number, maxBytes: number): ReadFile {
  try {
    const stat = checkOpened(path, descriptor, maxBytes)
    return { bytes: readAll(descriptor, stat.size, 0), stat }
  } finally {
    closeSync(descriptor)
  }
}

function checkOpened(path: string, descriptor: number, maxBytes: number): Stats {
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) throw unreadable(path, `expected a regular file, got ${kindOf(stat)}`)
  if (stat.size > maxBytes)
    throw new AppError(
      'FILE_TOO_LARGE',
      `cannot read \`${path}\`: expected at most ${maxBytes} bytes, got ${stat.size}`,
    )
  return stat
}

function readAll(descriptor: number, size: number, from: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const count = readSync(descriptor, bytes, length, size - length, from + length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a directory'
  if (stat.isFIFO()) return 'a fifo'
  if (stat.isSocket()) return 'a socket'
  return 'a device'
}

function unreadable(path: string, why: string, cause?: unknown): AppError {
  return new AppError('FILE_UNREADABLE', `cannot read \`${path}\`: ${why}`, {
    ...(cause !== undefined && { cause }),
  })
}
