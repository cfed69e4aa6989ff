// Links to folders. A link is put in place in one step, like a file. Nothing is written through a link.
import { randomBytes } from 'node:crypto'
import { readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { asAppError, openMade, type WriteOptions } from './atomic-write.ts'
import { temporaryName } from './temporary-name.ts'

/** The target text of a link; undefined when there is no link. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return undefined
  }
}

/** Replaces a file or another link. A folder in its place is an error. Throws `WRITE_FAILED`. */
export function placeLink(path: string, text: string, options: Pick<WriteOptions, 'root'>): void {
  try {
    const folder = openMade(dirname(path), options)
    const temporary = folder.at(temporaryName(randomBytes(8).toString('hex')))
    try {
      symlinkSync(text, temporary, 'dir')
      try {
        renameSync(temporary, folder.at(basename(path)))
      } catch (thrown) {
        unlinkSync(temporary)
        throw thrown
      }
      folder.sync()
    } finally {
      folder.close()
    }
  } catch (thrown) {
    throw asAppError(thrown, path)
  }
}
