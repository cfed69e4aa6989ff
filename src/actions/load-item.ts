// Reading one item by its id, and copying it between spaces. What is answered or copied are the verified bytes.
import { basename, dirname, extname, join } from 'node:path'
import { AppError } from '../base/index.ts'
import { folderOf, type ItemType, parseRef } from '../item/index.ts'
import { atomicWrite } from '../store/index.ts'
import { joinRef, type OpenedItem, type Workspace } from '../workspace/index.ts'
import type { ActionContext } from './action.ts'

export interface LoadInput {
  readonly item_id: string
  readonly item_type?: ItemType
  readonly project_path: string
  readonly source?: 'project' | 'user' | 'system' | 'registry'
  readonly destination?: 'project' | 'user'
  readonly overwrite?: boolean
  readonly version?: string
}

export async function loadItem(context: ActionContext, input: LoadInput): Promise<object> {
  if (input.source === 'registry') {
    throw new AppError('NOT_AVAILABLE', 'items are not loaded straight from a registry', {
      hint: 'pull the bundle first: rye registry pull NAME',
    })
  }
  const workspace = await context.library.open(input.project_path)
  const item = workspace.open(joinRef(parseRef(input.item_id), input.item_type, input.source))
  const { metadata } = await item.parse()
  const version = typeof metadata.version === 'string' ? metadata.version : undefined
  if (input.version !== undefined && input.version !== version)
    throw otherVersion(item, input.version, version)
  const { file } = item
  const extension = extname(file.path)
  return {
    status: 'success',
    item_type: file.type,
    item_id: file.id,
    content: new TextDecoder().decode(item.bytes),
    metadata: { name: nameIn(item), path: file.path, extension, ...(version !== undefined && { version }) },
    path: file.path,
    source: file.space,
    mode: 'id',
    trust: item.verdict,
    shadows: item.shadows.map(space => ({ space })),
    ...(context.library.devMode && { dev_mode: true }),
    ...(input.destination && copyItem(workspace, item, input.destination, input.overwrite === true)),
  }
}

function nameIn(item: OpenedItem): string {
  return basename(item.file.id)
}

/** Copies to the same place below the other space's type folder; the same space is no copy. */
function copyItem(
  workspace: Workspace,
  item: OpenedItem,
  destination: 'project' | 'user',
  overwrite: boolean,
): { copied_to: string; destination_path: string } | undefined {
  const { file } = item
  if (file.space === destination) return undefined
  const space = destination === 'project' ? workspace.projectPath : workspace.library.userSpace
  const typeRoot = join(space, '.ai', folderOf(file.type))
  const target =
    item.parts.size > 0
      ? join(typeRoot, file.id, basename(file.path))
      : join(typeRoot, `${file.id}${extname(file.path)}`)
  refuseOther(workspace, item, destination, target, overwrite)
  const options = { root: space, ...(!overwrite && { expect: 'absent' as const }) }
  if (item.parts.size === 0) {
    atomicWrite(target, item.bytes, options)
    if (item.detached) atomicWrite(`${target}.sig`, item.detached, { root: space })
  } else {
    for (const [path, bytes] of item.parts) atomicWrite(join(dirname(target), path), bytes, options)
    if (item.detached) atomicWrite(join(dirname(target), 'SKILL.sig'), item.detached, { root: space })
  }
  return { copied_to: destination, destination_path: target }
}

/** An item of another extension under the same id would be shadowed, or would shadow, without a word. */
function refuseOther(
  workspace: Workspace,
  item: OpenedItem,
  destination: 'project' | 'user',
  target: string,
  overwrite: boolean,
): void {
  const { entry } = safeFind(workspace, item, destination) ?? {}
  if (!entry || (overwrite && entry.path === target)) return
  throw new AppError(
    'ITEM_EXISTS',
    `\`${entry.type}:${entry.id}\` exists in the ${destination} space: \`${entry.path}\``,
    {
      hint: overwrite
        ? 'it has another extension: remove it first'
        : 'overwrite: true (--overwrite) replaces it',
    },
  )
}

function safeFind(workspace: Workspace, item: OpenedItem, space: 'project' | 'user') {
  try {
    return workspace.find({ id: item.file.id, type: item.file.type, space })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'ITEM_NOT_FOUND') return undefined
    throw thrown
  }
}

function otherVersion(item: OpenedItem, wanted: string, found: string | undefined): AppError {
  return new AppError(
    'ITEM_NOT_FOUND',
    `expected version \`${wanted}\` of \`${item.file.id}\`, got \`${found ?? 'none'}\``,
    {
      hint: 'a space holds one version of an item; other versions come from a registry',
    },
  )
}
