// Paths of files in a bundle, below `.ai/`: which are allowed, and which of them a file system might confuse.
import { folderOf, ITEM_TYPES, type ItemType } from '../../item/index.ts'

/** A bundle's files by path below `.ai/`. */
export type Files = ReadonlyMap<string, Uint8Array>

/** Ids that begin with it belong to the package. */
const RESERVED = 'rye'
const ID_SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
/** File names in skills are less restricted than ids, but must be possible on every system. */
const SKILL_SEGMENT = /^[^\s.\\/:*?"<>|](?:[^\\/:*?"<>|]*[^\s.\\/:*?"<>|])?$/u
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
const MOST_PATH = 400
const MOST_SEGMENT = 255

const TYPES: ReadonlyMap<string, ItemType> = new Map(ITEM_TYPES.map(type => [folderOf(type), type]))

/** The type whose folder contains a path. Undefined for settings and keys. */
export function typeOfPath(path: string): ItemType | undefined {
  const slash = path.indexOf('/')
  return slash === -1 ? undefined : TYPES.get(path.slice(0, slash))
}

/** Why a path cannot belong to an item; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  const [folder, ...segments] = path.split('/')
  const grammar = folder === folderOf('skill') ? SKILL_SEGMENT : ID_SEGMENT
  if (
    Buffer.byteLength(path) > MOST_PATH ||
    segments.some(segment => Buffer.byteLength(segment) > MOST_SEGMENT)
  )
    return 'the name is too long'
  if (!segments.every(segment => grammar.test(segment) && !INVISIBLE.test(segment)))
    return 'expected names of letters, digits, `_`, `-` and `.` that do not begin with a dot'
  return isReservedId(segments.join('/'))
    ? `ids that begin with \`${RESERVED}/\` belong to the package`
    : undefined
}

/** Whether an id belongs to the package, also on a file system that ignores case. */
export function isReservedId(id: string): boolean {
  return foldPath(id.split('/')[0]!) === RESERVED
}

/** A path as seen by a file system that ignores case and Unicode composition. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
