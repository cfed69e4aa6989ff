// The files of a skill in the folder of a client, and what tells whether they are the same.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { AppError, sha256Hex } from '../../base/index.ts'
import { isExecutable, modeOf, readFile, readLink } from '../../files/index.ts'
import { WALK_LIMITS, walk } from '../../scan/index.ts'
import { isMainFile } from '../../skills/index.ts'

/** By path below the folder of the skill. */
export type Files = ReadonlyMap<string, Uint8Array>

/** Whether these are the files of a skill. Authors write the name of its main file in any case. */
export function isSkill(files: Files): boolean {
  return [...files.keys()].some(isMainFile)
}

/** Every file of one copy. */
export function readCopy(target: string, root: string): Files {
  const files = new Map<string, Uint8Array>()
  // No name is left out: what a client finds in `__pycache__` it may run.
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

/** The digest of a copy, or what a link says; undefined where there is neither. What cannot be read equals nothing, not even itself. */
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

/** As in what is replaced, and to be started where the skill's own file is. Undefined for a new file that is not. */
export function modeOfCopy(copy: string, source: string): number | undefined {
  const mode = modeOf(copy)
  if (!isExecutable(source)) return mode
  const known = mode ?? 0o666 & ~process.umask()
  return known | ((known & 0o444) >> 2)
}

export function fingerprintOf(files: Files): string | undefined {
  return files.size > 0 ? digestOf(files) : undefined
}
