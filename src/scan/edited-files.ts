// Which files were written between two runs of `find` over the same folders, if nothing else happened: the
// same names in the same order, each of the same kind. Records are compared as bytes; few are parsed.
import type { SkippedPath } from './skipped-path.ts'

/**
 * The depth comes first, so a record that begins with 0 is that of a root. The depths and the order of the
 * names give the paths. The name comes last, as it may contain anything but a zero byte.
 */
export const RECORD = '%d %y %s %T@ %C@ %i %f\\0'

/** What `find` found below a group of roots. */
export interface FoundRoots {
  /** For the roots that exist. */
  readonly folders: readonly { readonly path: string; readonly records: Uint8Array }[]
  /** What was found in place of the other roots. */
  readonly skipped: readonly SkippedPath[]
}

/** Fields before the name: numbers and the kind, each followed by a blank. */
const FIELDS = 6
const BLANK = 0x20
const FILE = 'f'
const FOLDER = 'd'
/** Number of bytes compared at once. */
const BLOCK = 4096

/** Paths of the edited files. Undefined when something was added, was removed, or changed its kind. */
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

/** A view of the same bytes. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function compareRecords(before: Buffer, now: Buffer): string[] | undefined {
  const edited: string[] = []
  /** Offsets of the records of the last edited file and its folders, outermost first. */
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

/** How many leading bytes are the same. */
function sameBytes(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same + BLOCK <= most && one.compare(other, same, same + BLOCK, same, same + BLOCK) === 0)
    same += BLOCK
  while (same < most && one[same] === other[same]) same++
  return same
}

/**
 * Moves `way` on to the record at `to`. Reading backwards, the first record that is less deep is its folder,
 * and so on up to the position where `way` led before.
 */
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
