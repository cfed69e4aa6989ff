// Writes the private copy that an interpreter reads. Its directory is named by the digest of its content.
// When it is used again, every file is compared and everything that does not belong is removed (an
// interpreter would run a planted `__pycache__` instead of the source), so what runs is what was verified.
// Only the unfinished files of other processes are left alone: no interpreter looks for a file of such a
// name.
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { atomicWrite, isUnfinished, makeFolders } from '../../files/index.ts'
import type { CopiedFile, PrivateCopy } from '../../plan/index.ts'

const PRIVATE = 0o700
const READ_ONLY = 0o500

/**
 * Another process that repairs the same directory may remove a folder that we write to; a few rounds settle
 * it.
 */
const MOST_ROUNDS = 50

/** Makes the directory hold exactly the files of the copy. */
export function writePrivateCopy(copy: PrivateCopy): void {
  for (let round = 1; ; round++) {
    try {
      fill(copy)
      return
    } catch (thrown) {
      if (round === MOST_ROUNDS || !hasVanished(thrown)) throw thrown
    }
  }
}

function hasVanished(thrown: unknown): boolean {
  return systemErrorCode(thrown instanceof AppError ? thrown.cause : thrown) === 'ENOENT'
}

function fill(copy: PrivateCopy): void {
  const root = dirname(copy.directory)
  makeFolders(root, PRIVATE)
  makeFolders(copy.directory, PRIVATE)
  checkPrivate(copy.directory)
  removeUnknown(copy)
  const swept = new Set<string>()
  for (const file of copy.files) {
    const path = join(copy.directory, file.path)
    if (holds(path, file)) continue
    atomicWrite(path, file.bytes, { root, mode: READ_ONLY, folderMode: PRIVATE, swept })
  }
}

function checkPrivate(directory: string): void {
  const stat = lstatSync(directory)
  const owner = process.getuid?.()
  if (!stat.isDirectory() || (owner !== undefined && stat.uid !== owner)) {
    throw new AppError('WRITE_FAILED', `\`${directory}\` is not a directory of this user`, {
      hint: 'remove it and try again',
    })
  }
  if (owner !== undefined && (stat.mode & 0o077) !== 0) chmodSync(directory, PRIVATE)
}

function removeUnknown(copy: PrivateCopy): void {
  const known = new Set<string>()
  for (const { path } of copy.files) {
    for (let part = path; part !== '.'; part = dirname(part)) known.add(part)
  }
  const files = new Set(copy.files.map(file => file.path))
  for (const entry of readdirSync(copy.directory, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name)
    const path = full.slice(copy.directory.length + 1).replaceAll(sep, '/')
    const belongs = files.has(path) ? entry.isFile() : known.has(path) && entry.isDirectory()
    if (!belongs && !(entry.isFile() && isUnfinished(full))) rmSync(full, { recursive: true, force: true })
  }
}

function holds(path: string, file: CopiedFile): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size !== file.bytes.length) return false
  return readFileSync(path).equals(file.bytes)
}
