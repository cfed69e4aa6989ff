// A folder on this machine as a source. It is read as it is; git's ignore rules are not applied.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import { walk } from '../../scan/index.ts'
import { MOST_SOURCE_FILES, SOURCE_FILE_BYTES, type SourceTree } from '../find/source-tree.ts'

/** Throws `FILE_UNREADABLE`. `resolved` is undefined: the caller derives a state from what was read. */
export function readFolderSource(root: string): SourceTree {
  const { files, skipped } = walk(root, {
    entries: MOST_SOURCE_FILES,
    depth: 32,
    fileBytes: SOURCE_FILE_BYTES,
    underscored: 'take',
  })
  const fault = skipped.find(({ path, reason }) => path === `${root}/` || reason === 'too-many')
  if (fault) throw new AppError('FILE_UNREADABLE', `cannot read the folder \`${root}\`: ${fault.message}`)
  const odd = skipped.filter(({ reason }) => reason !== 'skipped-name')
  return {
    resolved: undefined,
    files: files.map(({ path, size }) => ({ path, size })).sort((a, b) => (a.path < b.path ? -1 : 1)),
    odd: odd.map(({ path, message }) => ({ path: path.slice(root.length + 1), reason: message })),
    read: async paths => new Map(paths.map(path => [path, mustRead(root, path)])),
  }
}

function mustRead(root: string, path: string): Uint8Array {
  const read = readFile(join(root, path), { maxBytes: SOURCE_FILE_BYTES, root })
  if (read) return read.bytes
  throw new AppError('FILE_UNREADABLE', `\`${path}\` was removed while it was read`)
}
