// Which files were written between two looks of `find` at the same folders, where nothing else has happened: the same names in the same
// order, and each of the same kind. Records are compared as bytes, and few are read.
import type { SkippedPath } from './skipped-path.ts'

/**
 * The depth comes first: a record that begins with 0 is that of a root. Depths and names in order give the paths. A name may contain
 * anything but a zero, so it is the last.
 */
export const RECORD = '%d %y %s %T@ %C@ %i %f\\0'

/** What is below a group of roots. */
export interface FoundRoots {
  /** Of the roots that exist. */
  readonly folders: readonly { readonly path: string; readonly records: Uint8Array }[]
  /** What is in the place of others. */
  readonly skipped: readonly SkippedPath[]
}

/** Numbers and the kind, each with a blank after it; then the name. */
const FIELDS = 6
const BLANK = 0x20
const FILE = 'f'
const FOLDER = 'd'
/** Bytes that are compared at once. */
const BLOCK = 4096

/** Paths of files; undefined where something came, went, or became something else. */
export function editedFiles(before: FoundRoots, now: FoundRoots): string[] | undefined {
  const paths = ({ folders, skipped }: FoundRoots) => JSON.stringify([folders.map(one => one.path), skipped])
  if (paths(before) !== paths(now)) return undefined
  const edited: string[] = []
  for (const [index, { path, records }] of now.folders.entries()) {
    const below = compareRecords(asBuffer(before.folders[index]!.records), asBuffer(records))
    if (below === undefined) return undefined
    for (const one of below) edited.push(`${path}/${one}`)
  }
  return edited
}

/** The same bytes. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function compareRecords(before: Buffer, now: Buffer): string[] | undefined {
  const edited: string[] = []
  /** Where the records begin that lead to the last edited file. */
  const way = [0]
  let old = 0
  let at = 0
  for (;;) {
    const same = sameBytes(before.subarray(old), now.subarray(at))
    if (old + same === before.length && at + same === now.length) return edited
    const start = same === 0 ? at : Math.max(at, now.lastIndexOf(0, at + same - 1) + 1)
    old += start - at
    at = start
    const [oldEnd, end] = [before.indexOf(0, old), now.indexOf(0, at)]
    if (oldEnd === -1 || end === -1) return undefined
    const [was, is] = [readRecord(before, old), readRecord(now, at)]
    if (was.depth !== is.depth || was.kind !== is.kind || was.name !== is.name) return undefined
    if (is.kind === FILE) {
      follow(way, now, at)
      edited.push(pathOf(now, way.slice(1)))
    } else if (is.kind !== FOLDER) return undefined
    old = oldEnd + 1
    at = end + 1
  }
}

/** How many bytes are the same at the beginning. */
function sameBytes(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same + BLOCK <= most && one.compare(other, same, same + BLOCK, same, same + BLOCK) === 0)
    same += BLOCK
  while (same < most && one[same] === other[same]) same++
  return same
}

/** Leads on to a record further down. Seen backwards, the first that is less deep is its folder, and so on up to where the way leads now. */
function follow(way: number[], records: Buffer, to: number): void {
  const from = way.at(-1)!
  let depth = readDepth(records, to)
  way.length = depth + 1
  way[depth] = to
  for (let at = to; at > from && depth > 1; ) {
    at = records.lastIndexOf(0, at - 2) + 1
    if (readDepth(records, at) < depth) way[--depth] = at
  }
}

function readDepth(records: Buffer, at: number): number {
  let depth = 0
  for (let index = at; records[index] !== BLANK; index++) depth = depth * 10 + records[index]! - 0x30
  return depth
}

function readRecord(records: Buffer, at: number) {
  const fields = records.toString('utf8', at, records.indexOf(0, at)).split(' ')
  return { depth: fields[0], kind: fields[1], name: fields.slice(FIELDS).join(' ') }
}

function pathOf(records: Buffer, way: readonly number[]): string {
  return way.map(at => readRecord(records, at).name).join('/')
}
