// `.ai/state` of a space: what is made on this machine and means nothing on another. Whatever keeps a file there asks
// for the folder here, so that it is private, no repository takes it in, and no link that came with a project leads out of it.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWrite } from './atomic-write.ts'
import { makeFolders } from './plain-folders.ts'

/** The folder, made when it is missing. Throws when it cannot be, or when something else stands in its place. */
export function makeStateFolder(root: string): string {
  const folder = join(root, '.ai', 'state')
  const ignore = join(folder, '.gitignore')
  makeFolders(root, ignore, 0o700)
  if (!lstatSync(ignore, { throwIfNoEntry: false })) atomicWrite(ignore, '*\n', { root })
  return folder
}
