// The files of an item: its own, its signature and, for a skill, all of its folder. Removing an item first
// copies them to the state of the project, so nothing that a person wrote is lost.
import { basename, dirname, join } from 'node:path'
import { atomicWrite, removeEmptyFolders, removeFile, stateAt } from '../../../files/index.ts'
import { SKILL_SIGNATURE } from '../../../trust/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import { typeFolderOf } from './own-item.ts'

/** By path below the item's folder. The file that makes it an item comes first. */
export function filesWithSignature(item: OpenedItem): Map<string, Uint8Array> {
  const { file, bytes, detached, parts } = item
  const name = basename(file.path)
  const files = new Map([[name, bytes]])
  for (const [path, part] of parts) files.set(path, part)
  if (detached) files.set(file.type === 'skill' ? SKILL_SIGNATURE : `${name}.sig`, detached)
  return files
}

/** Returns the folder of the copies. All files are copied before any is deleted, so none is lost. */
export function removeItem(workspace: Workspace, item: OpenedItem): string {
  const { file } = item
  const { library } = workspace
  const files = filesWithSignature(item)
  const state = library.states.make(file.space === 'user' ? library.userSpace : workspace.projectPath).path
  const time = library.now().toISOString().replaceAll(/[:.]/g, '-')
  const kept = join(state, 'removed', `${time}-${file.type}-${file.id.replaceAll('/', '-')}`)
  for (const [path, bytes] of files)
    atomicWrite(join(kept, path), bytes, { root: state, mode: 0o600, folderMode: 0o700 })
  try {
    deleteItem(item)
  } catch (thrown) {
    // Nothing was removed, so no copy is needed.
    if ([...files.keys()].every(path => stateAt(join(dirname(file.path), path))))
      deleteFiles(kept, files.keys(), { root: state, keep: state })
    throw thrown
  }
  return kept
}

/** Makes no copy: for an item whose files already exist elsewhere. */
export function deleteItem(item: OpenedItem): void {
  const { path, base } = item.file
  deleteFiles(dirname(path), filesWithSignature(item).keys(), { root: base, keep: typeFolderOf(item) })
}

/** Deletes the files and the folders that are empty afterwards, except `keep`. */
function deleteFiles(
  folder: string,
  paths: Iterable<string>,
  { root, keep }: { readonly root: string; readonly keep: string },
): void {
  const folders = new Set<string>()
  for (const path of paths) {
    removeFile(join(folder, path), { root })
    folders.add(dirname(join(folder, path)))
  }
  // Deepest first, so that the folders above them are empty by their turn.
  for (const path of [...folders].sort((a, b) => b.length - a.length))
    removeEmptyFolders(path, { root, keep })
}
