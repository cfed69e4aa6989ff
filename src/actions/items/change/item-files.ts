// The files of an item: its own, its signature, and for a skill all of its folder. What is removed is kept first, with the other
// state of the project, so that nothing that a person wrote is lost.
import { basename, dirname, join } from 'node:path'
import { atomicWrite, removeEmptyFolders, removeFile, stateAt } from '../../../files/index.ts'
import { SKILL_SIGNATURE } from '../../../trust/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import { typeFolderOf } from './own-item.ts'

/** By their path below the folder of the item. What makes it an item comes first. */
export function filesWithSignature(item: OpenedItem): Map<string, Uint8Array> {
  const { file, bytes, detached, parts } = item
  const name = basename(file.path)
  const files = new Map([[name, bytes]])
  for (const [path, part] of parts) files.set(path, part)
  if (detached) files.set(file.type === 'skill' ? SKILL_SIGNATURE : `${name}.sig`, detached)
  return files
}

/** Where the copies are. Interrupted before the end, some files are left, and all are kept. */
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
    // Nothing was removed, so nothing has to be kept.
    if ([...files.keys()].every(path => stateAt(join(dirname(file.path), path))))
      deleteFiles(kept, files.keys(), { root: state, keep: state })
    throw thrown
  }
  return kept
}

/** Without a copy: for what lies elsewhere already. */
export function deleteItem(item: OpenedItem): void {
  const { path, base } = item.file
  deleteFiles(dirname(path), filesWithSignature(item).keys(), { root: base, keep: typeFolderOf(item) })
}

/** And the folders that are empty then, but for the one to keep. */
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
  // The deepest first, so that those above them are empty when their turn comes.
  for (const path of [...folders].sort((a, b) => b.length - a.length))
    removeEmptyFolders(path, { root, keep })
}
