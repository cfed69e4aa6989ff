// Copies an item into another space, below the same category. The verified bytes are written with their signature, so the copy
// verifies, too. An existing item is replaced only if the caller says so.
import { lstatSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite, removeFile, type WriteOptions } from '../../../files/index.ts'
import { folderOf } from '../../../item/index.ts'
import { SKILL_SIGNATURE } from '../../../trust/index.ts'
import { makeUserSpace } from '../../../user/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'

export interface CopyRequest {
  readonly destination: 'project' | 'user'
  readonly overwrite: boolean
}

/** Where the item was copied to; undefined if it is there already. */
export function copyItem(
  workspace: Workspace,
  item: OpenedItem,
  request: CopyRequest,
): { copied_to: 'project' | 'user'; destination_path: string } | undefined {
  const { file } = item
  const { destination, overwrite } = request
  if (file.space === destination) return undefined
  const root = destination === 'project' ? workspace.projectPath : workspace.library.userSpace
  const typeRoot = join(root, '.ai', folderOf(file.type))
  const isFolder = item.parts.size > 0
  const target = isFolder
    ? join(typeRoot, file.id, basename(file.path))
    : join(typeRoot, `${file.id}${extname(file.path)}`)
  const existing = findExisting(workspace, item, destination)
  if (existing && !(overwrite && existing.entry.path === target)) throw alreadyThere(existing.entry, request)
  if (destination === 'user') makeUserSpace(root)
  const options: WriteOptions = { root, ...(!overwrite && { expect: 'absent' as const }) }
  if (isFolder) {
    const old = existing ? workspace.read(existing).parts.keys() : []
    copyFolder(item, dirname(target), { ...options, old })
  } else {
    atomicWrite(target, item.bytes, { ...options, mode: modeOf(file.path) })
    if (item.detached) atomicWrite(`${target}.sig`, item.detached, { root })
  }
  return { copied_to: destination, destination_path: target }
}

/** Files of the old skill are removed first: the new signature would not cover them. */
function copyFolder(
  item: OpenedItem,
  folder: string,
  options: WriteOptions & { readonly old: Iterable<string> },
): void {
  const { root } = options
  for (const path of options.old) if (!item.parts.has(path)) removeFile(join(folder, path), { root })
  for (const [path, bytes] of item.parts) {
    const mode = modeOf(join(dirname(item.file.path), path))
    atomicWrite(join(folder, path), bytes, { ...options, mode })
  }
  if (item.detached) atomicWrite(join(folder, SKILL_SIGNATURE), item.detached, { root })
}

/** Scripts stay executable; no other permissions are copied. */
function modeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat && (stat.mode & 0o100) !== 0 ? 0o755 : 0o644
}

function findExisting(workspace: Workspace, { file }: OpenedItem, space: 'project' | 'user') {
  try {
    return workspace.find({ id: file.id, type: file.type, space })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'ITEM_NOT_FOUND') return undefined
    throw thrown
  }
}

/** A second file of the same id would silently shadow the first, or be shadowed by it. */
function alreadyThere(existing: OpenedItem['file'], { destination, overwrite }: CopyRequest): AppError {
  return new AppError(
    'ITEM_EXISTS',
    `\`${existing.type}:${existing.id}\` already exists in the ${destination} space: \`${existing.path}\``,
    {
      hint: overwrite
        ? `the copy would be a second file of the same id; remove \`${existing.path}\` first`
        : '`overwrite: true` replaces it',
    },
  )
}
