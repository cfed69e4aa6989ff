// Folders of documents about keys: one file per key, named after its fingerprint.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { isFingerprint } from '../trust/index.ts'

export interface KeyFault {
  readonly path: string
  readonly reason: string
}

/** The file of a key in one of the folders below a space. */
export function keyPath(space: string, folder: readonly string[], fingerprint: string): string {
  if (!isFingerprint(fingerprint))
    throw new AppError(
      'INVALID_INPUT',
      `expected a fingerprint of 16 lower-case hex digits, got \`${fingerprint}\``,
    )
  return join(space, ...folder, `${fingerprint}.toml`)
}

/** The names of the documents in a folder, sorted. Empty when there is no folder. */
export function documentsIn(folder: string, { what = 'keys', extension = '.toml' } = {}): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith(extension))
      .sort()
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new AppError('FILE_UNREADABLE', `cannot list the ${what} in \`${folder}\`: ${code}`, {
      cause: error,
    })
  }
}
