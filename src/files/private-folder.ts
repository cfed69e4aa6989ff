// A folder that only this user can list or write: everything in it was put there by this user's processes.
import { chmodSync, lstatSync } from 'node:fs'
import { AppError } from '../base/index.ts'
import { makeFolder } from './atomic-write.ts'

/**
 * Makes the folder and missing folders between it and the root; true when the folder was missing. Throws
 * `WRITE_FAILED`, also when the folder belongs to somebody else.
 */
export function makePrivateFolder(path: string, root: string): boolean {
  const isNew = makeFolder(path, { root, folderMode: 0o700 })
  const owner = process.geteuid?.()
  if (owner === undefined) return isNew // on Windows the user's folders are protected by access lists
  const stat = lstatSync(path)
  if (!stat.isDirectory() || stat.uid !== owner) {
    throw new AppError('WRITE_FAILED', `\`${path}\` is not a folder of this user`, {
      hint: 'remove it and try again',
    })
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700)
  return isNew
}
