// Links to folders. A link is put in its place in one step, like a file, and nothing is written through one.
import { randomBytes } from 'node:crypto'
import { readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { asAppError, openMade, type WriteOptions } from './atomic-write.ts'
import { temporaryName } from './temporary-name.ts'

/** What a link says; undefined where there is none. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return undefined
  }
}

/** Replaces a file or another link; a folder in its place is an error. Throws `WRITE_FAILED`. */
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
