// Folders that were there for one file only go with it, as with git.
import { rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { inFolderOf } from './folder.ts'

/** Removes a folder and those above it while they are empty, up to one that stays. */
export function removeEmptyFolders(
  folder: string,
  options: { readonly root: string; readonly keep: string },
): void {
  const { root, keep } = options
  for (let path = folder; path !== keep && path.startsWith(`${keep}/`); path = dirname(path)) {
    try {
      inFolderOf(path, root, (above, name) => rmdirSync(above.at(name)))
    } catch (thrown) {
      // Somebody was faster, perhaps a run that was interrupted.
      if (systemErrorCode(thrown) === 'ENOENT') continue
      // It holds something else: no folder above it is empty either.
      if (systemErrorCode(thrown) !== undefined) return
      throw thrown
    }
  }
}
