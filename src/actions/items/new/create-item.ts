// Writes a new item from a template into a space, and signs it if there is a key.
import { join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite } from '../../../files/index.ts'
import { folderOf, type ItemType } from '../../../item/index.ts'
import { findKeyProblem, findSigningKey, makeUserSpace } from '../../../user/index.ts'
import type { Library, Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { checkNewId } from '../check-new-id.ts'
import { maySign, signItems } from '../sign/sign-items.ts'
import type { CommandLine } from './command-line.ts'
import type { NewParameter } from './parameters.ts'
import { type Language, writeTemplate } from './templates/write-template.ts'

export interface NewItem {
  readonly type: ItemType
  readonly id: string
  readonly language: Language
  readonly description?: string
  /** For a tool. */
  readonly parameters?: readonly NewParameter[] | undefined
  readonly command?: CommandLine | undefined
  readonly space: 'project' | 'user'
}

export interface CreatedItem {
  readonly item_type: ItemType
  readonly item_id: string
  readonly path: string
  readonly signed: boolean
  /** Warnings from signing it. */
  readonly warnings?: readonly string[]
}

export async function createItem(
  context: ActionContext,
  workspace: Workspace,
  item: NewItem,
): Promise<CreatedItem> {
  const { id } = item
  const { library } = workspace
  const root = item.space === 'project' ? workspace.projectPath : library.userSpace
  checkNewId(workspace, { type: item.type, id, root })
  refuseExisting(workspace, item)
  const file = writeTemplate(item)
  const path = join(root, '.ai', folderOf(item.type), file.path)
  const mode = file.path.endsWith('.sh') ? 0o755 : 0o644
  if (item.space === 'user') makeUserSpace(root)
  atomicWrite(path, file.text, { root, mode, expect: 'absent' })
  const created = { item_type: item.type, item_id: id, path }
  if (!((await maySign(context)) && (await hasUsableKey(library)))) return { ...created, signed: false }
  const answer = await signItems(context, {
    item_id: id,
    item_type: item.type,
    project_path: workspace.projectPath,
    source: item.space,
    format: 'v2',
  })
  const warnings = 'item_id' in answer ? answer.warnings : []
  return { ...created, signed: true, ...(warnings.length > 0 && { warnings }) }
}

/** A revoked key signs nothing; `sign` reports it. */
async function hasUsableKey({ userSpace, now }: Library): Promise<boolean> {
  const key = findSigningKey(userSpace)
  return key !== undefined && (await findKeyProblem(userSpace, key, now()))?.kind !== 'revoked'
}

function refuseExisting(workspace: Workspace, item: NewItem): void {
  const { items } = workspace.list([item.type])
  const existing = items.find(({ entry }) => entry.id === item.id && entry.space === item.space)
  if (!existing) return
  throw new AppError(
    'ITEM_EXISTS',
    `\`${item.type}:${item.id}\` already exists: \`${existing.entry.path}\``,
    {
      hint: 'choose another id, or edit that file',
    },
  )
}
