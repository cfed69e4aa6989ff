// Paths of files in a bundle, below `.ai/`: what may be one, and which of them a file system might take for the same.
import { folderOf, ITEM_TYPES, type ItemType } from '../../item/index.ts'

/** Files of a bundle by their path below `.ai/`. */
export type Files = ReadonlyMap<string, Uint8Array>

/** Ids that begin with it belong to the package. */
const RESERVED = 'rye'
const ID_SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
/** Files of a skill have freer names than ids, but none that some system cannot have. */
const SKILL_SEGMENT = /^[^\s.\\/:*?"<>|](?:[^\\/:*?"<>|]*[^\s.\\/:*?"<>|])?$/u
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
const MOST_PATH = 400
const MOST_SEGMENT = 255

const TYPES: ReadonlyMap<string, ItemType> = new Map(ITEM_TYPES.map(type => [folderOf(type), type]))

/** The type whose folder a path is in: settings and keys are in none. */
export function typeOfPath(path: string): ItemType | undefined {
  const slash = path.indexOf('/')
  return slash === -1 ? undefined : TYPES.get(path.slice(0, slash))
}

/** Why a path cannot be one of an item, or undefined. */
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

/** Whether an id is one of the package, also for a file system that ignores case. */
export function isReservedId(id: string): boolean {
  return foldPath(id.split('/')[0]!) === RESERVED
}

/** What a file system that ignores case and composition makes of a path. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
