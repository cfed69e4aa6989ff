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
  if (now.equals(before)) return []
  const edited: string[] = []
  /** Where the last record of each depth begins. */
  const way: number[] = []
  let old = 0
  let at = 0
  while (at < now.length) {
    const oldEnd = before.indexOf(0, old)
    const end = now.indexOf(0, at)
    if (oldEnd === -1 || end === -1) return undefined
    const depth = readDepth(now, at)
    way[depth] = at
    if (now.compare(before, old, oldEnd, at, end) !== 0) {
      const [was, is] = [readRecord(before, old), readRecord(now, at)]
      if (was.depth !== is.depth || was.kind !== is.kind || was.name !== is.name) return undefined
      if (is.kind === FILE) edited.push(pathOf(now, way.slice(1, depth + 1)))
      else if (is.kind !== FOLDER) return undefined
    }
    old = oldEnd + 1
    at = end + 1
  }
  return old === before.length ? edited : undefined
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
