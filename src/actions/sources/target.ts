// The space that receives items of sources: its lock, and what is in it.
import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AppError, sha256Hex } from '../../base/index.ts'
import { readFile, stateAt } from '../../files/index.ts'
import { folderOf, type ItemType, isItemType } from '../../item/index.ts'
import { walk } from '../../scan/index.ts'
import type { Lock } from '../../sources/index.ts'
import { digestSkill } from '../../trust/approvals/index.ts'
import { SKILL_SIGNATURE } from '../../trust/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { lockPathIn, readLockIn } from './space-lock.ts'

export interface Target {
  readonly space: 'project' | 'user'
  /** The folder that holds its `.ai/`. */
  readonly base: string
}

const FILE_BYTES = 8_000_000

export function targetOf({ projectPath, library }: Workspace, space: Target['space']): Target {
  return { space, base: space === 'user' ? library.userSpace : projectPath }
}

export function lockPath({ base }: Target): string {
  return lockPathIn(base)
}

/** Throws `ITEM_MALFORMED`. */
export function readLock(target: Target): Lock {
  return readLockIn(target.base)
}

/**
 * Splits the name that locks and approvals use for an item into its type and its path relative to the type
 * folder.
 */
export function splitName(name: string): { type: ItemType; below: string } {
  const colon = name.indexOf(':')
  const type = name.slice(0, colon)
  if (!isItemType(type)) throw new Error(`unreachable: the name ${name}`)
  return { type, below: name.slice(colon + 1) }
}

/** Where the files of an item are: a file, or the folder of a skill. */
export function placeOf({ base }: Target, name: string): string {
  const { type, below } = splitName(name)
  return join(base, '.ai', folderOf(type), ...below.split('/'))
}

/**
 * The current files of an item, by path relative to the type folder; empty when there is no such item. Throws
 * `FILE_UNREADABLE` if a link leads to it.
 */
export function presentFiles(target: Target, name: string): Map<string, Uint8Array> {
  const { type, below } = splitName(name)
  const place = placeOf(target, name)
  const { base: root } = target
  refuseLinks(root, place)
  const paths =
    type === 'skill' ? filesBelow(place, root).map(path => `${below}/${path}`) : [below, `${below}.sig`]
  const files = new Map<string, Uint8Array>()
  for (const path of paths) {
    const read = readFile(join(root, '.ai', folderOf(type), path), { root, maxBytes: FILE_BYTES })
    if (read) files.set(path, read.bytes)
  }
  return type === 'skill' || files.has(below) ? files : new Map()
}

/** The digest in the form of locks and approvals; undefined when there is no such item. */
export function presentDigest(target: Target, name: string): string | undefined {
  const files = presentFiles(target, name)
  return files.size === 0 ? undefined : digestFiles(name, files)
}

/**
 * Digest of an item's files, which are given by path relative to the type folder. Throws `ITEM_MALFORMED`.
 */
export function digestFiles(name: string, files: ReadonlyMap<string, Uint8Array>): string {
  const { type, below } = splitName(name)
  if (type !== 'skill') return sha256Hex(files.get(below)!)
  return digestSkill(new Map(manifestOf(below, files)))
}

/** Digests of a skill's files, by path in its folder. */
export function manifestOf(
  id: string,
  files: ReadonlyMap<string, Uint8Array>,
): [path: string, digest: string][] {
  return [...files]
    .map(([path, bytes]): [string, string] => [path.slice(id.length + 1), sha256Hex(bytes)])
    .filter(([path]) => path !== SKILL_SIGNATURE)
}

/** What lies behind a link is not part of the space: it is neither what was taken, nor missing. */
function refuseLinks(root: string, place: string): void {
  const names = relative(root, place).split(sep)
  for (const [index] of names.entries()) {
    const path = join(root, ...names.slice(0, index + 1))
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return
    if (stat.isSymbolicLink())
      throw new AppError('FILE_UNREADABLE', `\`${path}\` is a symbolic link, and links are not followed`, {
        hint: 'put a folder in its place; `rye add DIR` takes items that lie elsewhere',
      })
  }
}

function filesBelow(folder: string, root: string): string[] {
  const { files, skipped } = walk(folder, { root, everything: true })
  // A missing folder is empty; an unreadable one may contain anything.
  const isAbsent = !stateAt(folder)
  const odd = skipped.find(
    ({ path, reason }) => reason !== 'symbolic-link' && !(isAbsent && path === `${folder}/`),
  )
  if (odd) throw new AppError('FILE_UNREADABLE', `\`${odd.path}\` is in the way: ${odd.message}`)
  return files.map(({ path }) => path)
}
