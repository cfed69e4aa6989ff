// Copies an item into another space, under the same category; a tool takes along the files beside it that it
// needs. The verified bytes are written with their signature, so the copy verifies too. An existing item is
// replaced only if the caller says so.
import { basename, dirname, extname, join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite, isExecutable, readFile, removeFile, type WriteOptions } from '../../../files/index.ts'
import { folderOf } from '../../../item/index.ts'
import { SKILL_SIGNATURE } from '../../../trust/index.ts'
import { makeUserSpace } from '../../../user/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import { findHelpers, type Helper } from './find-helpers.ts'

const MOST_HELPER_BYTES = 50_000_000

export interface CopyRequest {
  readonly destination: 'project' | 'user'
  readonly overwrite: boolean
}

export interface Copied {
  readonly copied_to: 'project' | 'user'
  readonly destination_path: string
  /** For a tool: the files beside it that it needs, at their new paths. */
  readonly helpers?: readonly { readonly path: string; readonly status: 'copied' | 'unchanged' }[]
  /** For a tool: files beside it that it names but that do not verify. */
  readonly left_out?: readonly { readonly path: string; readonly reason: string }[]
}

/** Where the item was copied to. Undefined if it is there already. */
export async function copyItem(
  workspace: Workspace,
  item: OpenedItem,
  request: CopyRequest,
): Promise<Copied | undefined> {
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
  const isOther = existing !== undefined && existing.entry.path !== target
  if (existing && (isOther || !overwrite)) throw alreadyThere(existing.entry, { destination, isOther })
  if (destination === 'user') makeUserSpace(root)
  const options: WriteOptions = { root, ...(!overwrite && { expect: 'absent' as const }) }
  const { helpers, leftOut } = await findHelpers(workspace, item)
  // Before the tool, which must never be there without them.
  const beside = copyHelpers(helpers, typeRoot, { ...options, request })
  if (isFolder) {
    const old = existing ? workspace.read(existing).parts.keys() : []
    copyFolder(item, dirname(target), { ...options, old })
  } else {
    atomicWrite(target, item.bytes, { ...options, mode: modeOf(file.path) })
    if (item.detached) atomicWrite(`${target}.sig`, item.detached, { root })
  }
  return {
    copied_to: destination,
    destination_path: target,
    ...(beside.length > 0 && { helpers: beside }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
  }
}

/** Writes none unless all can be written: other tools there may rely on a different file of the same name. */
function copyHelpers(
  helpers: readonly Helper[],
  typeRoot: string,
  { request, ...options }: WriteOptions & { readonly request: CopyRequest },
): NonNullable<Copied['helpers']> {
  const { root } = options
  const placed = helpers.map(helper => {
    const path = join(typeRoot, helper.path)
    const there = readFile(path, { maxBytes: MOST_HELPER_BYTES, ...(root !== undefined && { root }) })?.bytes
    if (there !== undefined && !there.equals(helper.bytes) && !request.overwrite)
      throw otherHelper(path, request)
    return { ...helper, path, isThere: there?.equals(helper.bytes) === true }
  })
  return placed.map(({ path, source, bytes, detached, isThere }) => {
    if (!isThere) atomicWrite(path, bytes, { ...options, mode: modeOf(source) })
    if (!isThere && detached) atomicWrite(`${path}.sig`, detached, { root })
    return { path, status: isThere ? 'unchanged' : 'copied' }
  })
}

function otherHelper(path: string, { destination }: CopyRequest): AppError {
  return new AppError(
    'ITEM_EXISTS',
    `the tool needs a file beside it that is another one in the ${destination} space: \`${path}\``,
    { hint: '`overwrite: true` replaces it, also for the other tools there that use it' },
  )
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
  return isExecutable(path) ? 0o755 : 0o644
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
function alreadyThere(
  existing: OpenedItem['file'],
  { destination, isOther }: Pick<CopyRequest, 'destination'> & { readonly isOther: boolean },
): AppError {
  return new AppError(
    'ITEM_EXISTS',
    `\`${existing.type}:${existing.id}\` already exists in the ${destination} space: \`${existing.path}\``,
    {
      hint: isOther
        ? `the copy would be a second file of the same id; remove \`${existing.path}\` first`
        : '`overwrite: true` replaces it',
    },
  )
}
