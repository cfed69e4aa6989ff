// A folder whose only file is removed goes with it, as in git.
import { rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { inFolderOf } from './folder.ts'

/** Removes a folder and those above it while they are empty, up to but not including `keep`. */
export function removeEmptyFolders(
  folder: string,
  options: { readonly root: string; readonly keep: string },
): void {
  const { root, keep } = options
  for (let path = folder; path !== keep && path.startsWith(`${keep}/`); path = dirname(path)) {
    try {
      inFolderOf(path, root, (above, name) => rmdirSync(above.at(name)))
    } catch (thrown) {
      // Already removed, perhaps by a run that was interrupted.
      if (systemErrorCode(thrown) === 'ENOENT') continue
      // It is not empty, so no folder above it is either.
      if (systemErrorCode(thrown) !== undefined) return
      throw thrown
    }
  }
}
