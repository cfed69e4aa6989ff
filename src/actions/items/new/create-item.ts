// Writes a new item from a template into a space, and signs it if there is a key.
import { join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite } from '../../../files/index.ts'
import { checkId, folderOf, type ItemType } from '../../../item/index.ts'
import { findKeyProblem, findSigningKey, makeUserSpace } from '../../../user/index.ts'
import type { Library, Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { maySign, signItems } from '../sign/sign-items.ts'
import type { CommandLine } from './command-line.ts'
import type { NewParameter } from './parameters.ts'
import { type Language, writeTemplate } from './templates/write-template.ts'

export interface NewItem {
  readonly type: ItemType
  readonly id: string
  readonly language: Language
  readonly description?: string
  /** Of a tool. */
  readonly parameters?: readonly NewParameter[] | undefined
  readonly command?: CommandLine | undefined
  readonly space: 'project' | 'user'
}

export interface CreatedItem {
  readonly item_type: ItemType
  readonly item_id: string
  readonly path: string
  readonly signed: boolean
}

const SNAKE_CASE = /^[a-z][a-z0-9_]*$/
const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export async function createItem(
  context: ActionContext,
  workspace: Workspace,
  item: NewItem,
): Promise<CreatedItem> {
  const id = checkId(item.id)
  checkName(item.type, id)
  const { library } = workspace
  const root = item.space === 'project' ? workspace.projectPath : library.userSpace
  refuseExisting(workspace, item)
  const file = writeTemplate({ ...item, id })
  const path = join(root, '.ai', folderOf(item.type), file.path)
  const mode = file.path.endsWith('.sh') ? 0o755 : 0o644
  if (item.space === 'user') makeUserSpace(root)
  atomicWrite(path, file.text, { root, mode, expect: 'absent' })
  const signed = (await maySign(context)) && (await hasUsableKey(library))
  if (signed) {
    await signItems(context, {
      item_id: id,
      item_type: item.type,
      project_path: workspace.projectPath,
      source: item.space,
      format: 'v2',
    })
  }
  return { item_type: item.type, item_id: id, path, signed }
}

/** With a revoked one nothing is signed; `sign` says so. */
async function hasUsableKey({ userSpace, now }: Library): Promise<boolean> {
  const key = findSigningKey(userSpace)
  return key !== undefined && (await findKeyProblem(userSpace, key, now()))?.kind !== 'revoked'
}

/** Refuses names that signing would refuse, before anything is written. */
function checkName(type: ItemType, id: string): void {
  const name = id.slice(id.lastIndexOf('/') + 1)
  if (type === 'directive' && !SNAKE_CASE.test(name)) {
    throw new AppError('INVALID_ID', `expected a directive's name in snake_case, got \`${name}\``, {
      ...suggest(name, '_', SNAKE_CASE),
    })
  }
  if (type === 'skill' && (!SKILL_NAME.test(name) || name.length > 64)) {
    throw new AppError(
      'INVALID_ID',
      `expected a skill's name in lower case with single dashes, got \`${name}\``,
      suggest(name.slice(0, 64), '-', SKILL_NAME),
    )
  }
}

/** What the name may have been meant to be; nothing where that is refused as well. */
function suggest(name: string, joint: '_' | '-', form: RegExp): { hint?: string } {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const better = words.filter(word => word !== '').join(joint)
  return form.test(better) ? { hint: `try \`${better}\`` } : {}
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
