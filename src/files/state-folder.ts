// `.ai/state` of a space: files that are made on this machine and are of no use on another. Every file there goes through
// here, so that the folder is private, ignored by git, and no link that came with a project.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWrite } from './atomic-write.ts'
import { makeFolders } from './plain-folders.ts'

/** The folder, made if it is missing. Throws if that fails, or if there is something else at its path. */
export function makeStateFolder(root: string): string {
  const folder = join(root, '.ai', 'state')
  const ignore = join(folder, '.gitignore')
  makeFolders(root, ignore, 0o700)
  if (!lstatSync(ignore, { throwIfNoEntry: false })) atomicWrite(ignore, '*\n', { root })
  return folder
}
