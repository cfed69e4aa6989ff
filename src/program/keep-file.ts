// Writes files that the next start uses unchecked (`code-cache.ts`). A failure to write does not fail the
// call: the next start tries again.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { atomicWrite } from '../files/index.ts'
import { type CodePlace, writableRoot } from './code-cache.ts'

/** The root below which the file was written; undefined if it was not written. */
export function keepFile(place: CodePlace, name: string, bytes: Buffer): string | undefined {
  try {
    const root = writableRoot(place)
    if (root === undefined) return undefined
    const options = { root, mode: 0o644, folderMode: place.state === undefined ? 0o755 : 0o700 }
    atomicWrite(join(place.folder, name), bytes, options)
    // The user's home may be a repository.
    const ignore = place.state && join(place.state, '.gitignore')
    if (ignore && !existsSync(ignore)) atomicWrite(ignore, '*\n', options)
    return root
  } catch (thrown) {
    if (!(thrown instanceof AppError) && systemErrorCode(thrown) === undefined) throw thrown
    // The folder is read-only, full, or was removed meanwhile.
    return undefined
  }
}
