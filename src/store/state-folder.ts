// `.ai/state` of a space: what is made on this machine and means nothing on another. Whatever keeps a file there asks
// for the folder here, so that it is private and no repository takes it in.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWrite } from './atomic-write.ts'

/** The folder, made when it is missing. Throws when it cannot be. */
export function makeStateFolder(root: string): string {
  const folder = join(root, '.ai', 'state')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ignore = join(folder, '.gitignore')
  if (!statSync(ignore, { throwIfNoEntry: false })) atomicWrite(ignore, '*\n', { root })
  return folder
}
