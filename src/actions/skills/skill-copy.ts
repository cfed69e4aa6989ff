// The files of a skill in the folder of a client, and how to tell whether they have changed.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { AppError, sha256Hex } from '../../base/index.ts'
import { isExecutable, modeOf, readFile, readLink } from '../../files/index.ts'
import { WALK_LIMITS, walk } from '../../scan/index.ts'
import { isMainFile } from '../../skills/index.ts'

/** By path relative to the folder of the skill. */
export type Files = ReadonlyMap<string, Uint8Array>

/** Whether these are the files of a skill. Its main file may be named in any case. */
export function isSkill(files: Files): boolean {
  return [...files.keys()].some(isMainFile)
}

/** Reads every file of a copy. */
export function readCopy(target: string, root: string): Files {
  const files = new Map<string, Uint8Array>()
  // No name is skipped: a client may run what it finds in `__pycache__`.
  const { files: found, skipped } = walk(target, { everything: true, root })
  const odd = skipped.find(one => one.path !== `${target}/`)
  if (odd) {
    throw new AppError('ITEM_EXISTS', `\`${odd.path}\` is in the way: ${odd.message}`, {
      hint: 'remove it first',
    })
  }
  for (const { path } of found) {
    const read = readFile(join(target, path), { maxBytes: WALK_LIMITS.fileBytes, root })
    if (read) files.set(path, read.bytes)
  }
  return files
}

export function digestOf(files: Files): string {
  const list = [...files].map(([path, bytes]) => [path, sha256Hex(bytes)]).sort()
  return sha256Hex(JSON.stringify(list))
}

/**
 * The digest of a copy, or the target of a link; undefined if there is neither. A copy that cannot be read
 * gets a random value, which equals nothing.
 */
export function fingerprintAt(target: string, root: string): string | undefined {
  const link = readLink(target)
  if (link !== undefined) return `link:${link}`
  try {
    return fingerprintOf(readCopy(target, root))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return `unreadable:${randomUUID()}`
  }
}

/**
 * The mode of the file that is replaced, made executable if the skill's own file is. Undefined for a new file
 * that is not executable.
 */
export function modeOfCopy(copy: string, source: string): number | undefined {
  const mode = modeOf(copy)
  if (!isExecutable(source)) return mode
  const known = mode ?? 0o666 & ~process.umask()
  return known | ((known & 0o444) >> 2)
}

export function fingerprintOf(files: Files): string | undefined {
  return files.size > 0 ? digestOf(files) : undefined
}
