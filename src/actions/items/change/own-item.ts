// The items that a person may change: those of the project and of the user, never those of the package.
import { AppError, callOf, hintWith } from '../../../base/index.ts'
import { type ItemType, isWritable, parseRef, printRef } from '../../../item/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { joinRef, type OpenedItem, type Workspace } from '../../../workspace/index.ts'

/** Throws `SPACE_IMMUTABLE` for a system item. */
export function findOwnItem(
  workspace: Workspace,
  input: {
    readonly item_id: string
    readonly item_type?: ItemType | undefined
    readonly source?: 'project' | 'user' | undefined
  },
  verb: string,
): ResolvedEntry<ItemFile> {
  const found = workspace.find(joinRef(parseRef(input.item_id), input.item_type, input.source))
  const { type, id, space } = found.entry
  if (isWritable(space)) return found
  const item = printRef({ type: type as ItemType, id })
  throw new AppError('SPACE_IMMUTABLE', `${space} items are immutable: ${item} cannot be ${verb}`, {
    hint: hintWith(
      verb === 'removed' ? 'an item of your own with this id takes its place: ' : 'copy it first: ',
      callOf('load', { item_id: item, destination: 'project' }),
    ),
  })
}

/** The folder of a type, which is kept even when empty: `.ai/tools`, `.claude/skills`. */
export function typeFolderOf({ file }: OpenedItem): string {
  const segments = file.path.slice(file.base.length + 1).split('/')
  return [file.base, ...segments.slice(0, 2)].join('/')
}
