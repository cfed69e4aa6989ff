// Checks the id of a new or moved item. An id that signing would refuse, or that no listing would find, is
// refused before anything is written.
import { dirname, join } from 'node:path'
import { AppError, quoteText } from '../../base/index.ts'
import {
  categoryOf,
  checkId,
  folderOf,
  isUnderscored,
  nameOf,
  type SignedType,
  SKIPPED_FOLDERS,
} from '../../item/index.ts'
import type { Workspace } from '../../workspace/index.ts'

export interface NewId {
  readonly type: SignedType
  readonly id: string
  /** The folder whose `.ai/` the item goes into. */
  readonly root: string
  /** The item's current file, when it is being moved. */
  readonly from?: string
}

const SNAKE_CASE = /^[a-z][a-z0-9_]*$/
const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Throws `INVALID_ID`. */
export function checkNewId(workspace: Workspace, wanted: NewId): void {
  const { type, id } = wanted
  checkId(id)
  checkName(type, nameOf(id))
  const folders = (type === 'skill' ? id : categoryOf(id)).split('/')
  const skipped = folders.find(name => SKIPPED_FOLDERS.has(name))
  if (skipped !== undefined || isUnderscored(id))
    throw new AppError('INVALID_ID', `nothing would find ${quoteText(`${type}:${id}`)} again`, {
      hint: skipped
        ? `folders called \`${skipped}\` are not searched for items`
        : 'names that begin with `_` are of files that items use, not of items',
    })
  if (type === 'skill') checkOtherSkills(workspace, wanted)
}

function checkName(type: SignedType, name: string): void {
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

/** Suggests the name that was probably meant, unless that would be refused too. */
function suggest(name: string, joint: '_' | '-', form: RegExp): { hint?: string } {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const better = words.filter(word => word !== '').join(joint)
  return form.test(better) ? { hint: `try \`${better}\`` } : {}
}

/** A skill inside another would become a part of it. */
function checkOtherSkills(workspace: Workspace, { id, root, from }: NewId): void {
  const folder = join(root, '.ai', folderOf('skill'), id)
  for (const { entry } of workspace.list(['skill']).items) {
    const other = dirname(entry.path)
    if (entry.path === from || entry.space === 'system') continue
    const isInside = folder.startsWith(`${other}/`)
    if (!isInside && !other.startsWith(`${folder}/`)) continue
    const [outer, inner] = isInside ? [entry.id, id] : [id, entry.id]
    throw new AppError('INVALID_ID', `\`skill:${inner}\` would be a part of \`skill:${outer}\``, {
      hint: 'a folder inside a skill is a part of it: choose another id',
    })
  }
}
