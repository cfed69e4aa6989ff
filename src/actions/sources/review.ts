// `review`: what there is to look at in an item, and how it differs from what was accepted, file by file.
import { countOf } from '../../base/index.ts'
import { isWritable } from '../../item/index.ts'
import { describeReview, type ItemReview, type LockedItem, reviewItem } from '../../sources/index.ts'
import type { Verdict } from '../../trust/index.ts'
import { type OpenedItem, signedRequest, type Workspace } from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../definition/shared-fields.ts'
import { compareItems, describeChange, type ItemChange } from './describe-change.ts'
import { acceptedContent, idOfLocked } from './locked-items.ts'
import { presentFiles, readLock, splitName, targetOf } from './target.ts'

const REVIEW_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  project_path: projectPath,
} as const satisfies Fields

export type ReviewInput = CallInput<typeof REVIEW_FIELDS>

export interface ReviewAnswer {
  /** `TYPE:ID`. */
  readonly item: string
  readonly path: string
  readonly trust: Verdict
  readonly review: ItemReview
  /** Against what was accepted; missing for an item that no source brought. */
  readonly change?: ItemChange
  /** Both in lines. */
  readonly seen: readonly string[]
  readonly message: string
}

export const review = defineAction({
  name: 'review',
  description: 'Show what to look at in an item, and what differs from what was accepted of it.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  forPeople: true,
  fields: REVIEW_FIELDS,
  run: async (context, input): Promise<ReviewAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const item = workspace.read(workspace.find(signedRequest(input.item_id, input.item_type)))
    const { type, id, path } = item.file
    const { metadata } = await item.parse()
    const seen = reviewItem(filesOf(item), metadata)
    const locked = findOwned(workspace, item)
    const change = locked && (await changeOf(context, workspace, item, locked))
    return {
      ...{ item: `${type}:${id}`, path, trust: item.verdict, review: seen },
      ...(change && { change }),
      seen: [...(change ? describeChange(change) : []), ...describeReview(seen)],
      message: messageOf(locked, change, item.verdict),
    }
  },
})

function filesOf({ file, parts, bytes }: OpenedItem): ReadonlyMap<string, Uint8Array> {
  return parts.size > 0 ? parts : new Map([[file.path.slice(file.path.lastIndexOf('/') + 1), bytes]])
}

function findOwned(workspace: Workspace, { file }: OpenedItem): LockedItem | undefined {
  if (!isWritable(file.space)) return undefined
  const { sources } = readLock(targetOf(workspace, file.space))
  const items = sources.flatMap(source => source.items)
  return items.find(one => splitName(one.name).type === file.type && idOfLocked(one) === file.id)
}

async function changeOf(
  { library }: ActionContext,
  workspace: Workspace,
  { file }: OpenedItem,
  locked: LockedItem,
): Promise<ItemChange | undefined> {
  const before = acceptedContent(library, locked)
  if (before === undefined) return undefined
  const after = presentFiles(targetOf(workspace, file.space === 'user' ? 'user' : 'project'), locked.name)
  for (const path of [...after.keys()])
    if (/(?:^|\/)SKILL\.sig$/.test(path) && !before.has(path)) after.delete(path)
  return compareItems(workspace, locked.name, { before, after })
}

function messageOf(
  locked: LockedItem | undefined,
  change: ItemChange | undefined,
  { status }: Verdict,
): string {
  if (locked === undefined) return 'no source brought it: nothing was accepted to compare it with'
  if (change === undefined)
    return 'what was accepted is not kept on this machine: run `rye install` where it is missing'
  if (change.files.length === 0 && status !== 'verified')
    return 'as it was locked, but nobody whom you trust has accepted it'
  return change.files.length === 0
    ? 'as it was accepted'
    : `changed since it was accepted: ${countOf(change.files.length, 'file')}`
}
