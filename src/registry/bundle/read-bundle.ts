// The item files of an archive, and the names of all other files. A name that leads elsewhere, or two names
// for one file, make the whole archive invalid.
import { AppError, flattenText } from '../../base/index.ts'
import { gunzip } from '../archive/gunzip.ts'
import { FILE_BYTES, MOST_FILES } from '../archive/limits.ts'
import { readTar, shownPath } from '../archive/read-tar.ts'
import { type Files, foldPath, pathProblem, typeOfPath } from './bundle-path.ts'

export interface Bundle {
  /** Sorted by path. */
  readonly files: Files
  /** Files that are not below `.ai/directives`, `tools`, `knowledge` or `skills`. */
  readonly others: readonly string[]
}

/** Everything in npm's archives lies below `package/`. */
const PREFIX = 'package/.ai/'

/** Throws `ITEM_MALFORMED`. */
export async function readBundle(archive: Buffer): Promise<Bundle> {
  const files = new Map<string, Uint8Array>()
  const others: string[] = []
  const folded = new Map<string, string>()
  let count = 0
  for (const { path, bytes } of readTar(await gunzip(archive))) {
    if (++count > MOST_FILES) throw malformed(`holds more than ${MOST_FILES} files`)
    const below = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : ''
    if (typeOfPath(below) === undefined) {
      others.push(flattenText(path).slice(0, 300))
      continue
    }
    const problem = pathProblem(below) ?? (bytes.length > FILE_BYTES ? 'it is too large' : undefined)
    if (problem !== undefined) throw malformed(`holds ${shownPath(below)}: ${problem}`)
    const twin = folded.get(foldPath(below))
    if (twin !== undefined) throw malformed(`holds two files for one name: \`${twin}\` and \`${below}\``)
    folded.set(foldPath(below), below)
    files.set(below, bytes)
  }
  for (const [name, below] of folded) {
    const above = name.split('/').map((_, index, segments) => segments.slice(0, index).join('/'))
    if (above.some(folder => folded.has(folder))) throw malformed(`holds \`${below}\` below another file`)
  }
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), others }
}

function malformed(problem: string): AppError {
  return new AppError('ITEM_MALFORMED', `the archive ${problem}`)
}
