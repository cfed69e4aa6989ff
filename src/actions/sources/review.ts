// `review`: shows what to look at in an item, and how it differs from what was accepted, file by file.
import { countOf } from '../../base/index.ts'
import { isWritable } from '../../item/index.ts'
import { describeReview, type ItemReview, type LockedItem } from '../../sources/index.ts'
import type { Verdict } from '../../trust/index.ts'
import { acceptedFiles } from '../../user/index.ts'
import { type OpenedItem, signedRequest, type Workspace } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../definition/shared-fields.ts'
import { compareItems, describeChange, type ItemChange } from './describe-change.ts'
import { acceptedContent, idOfLocked } from './locked-items.ts'
import { reviewOpened } from './review-opened.ts'
import { digestFiles, presentFiles, readLock, splitName, type Target, targetOf } from './target.ts'

const REVIEW_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  project_path: projectPath,
} as const satisfies Fields

export type ReviewInput = CallInput<typeof REVIEW_FIELDS>

export interface ReviewAnswer {
  /** As `TYPE:ID`. */
  readonly item: string
  readonly path: string
  readonly trust: Verdict
  readonly review: ItemReview
  /** Compared with what was accepted; absent for an item that no source brought. */
  readonly change?: ItemChange
  /** The change and the review as lines of text. */
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
    const seen = await reviewOpened(item)
    const owned = findLockedHere(workspace, item)
    const change = owned && (await changeHere(workspace, owned))
    return {
      ...{ item: `${type}:${id}`, path, trust: item.verdict, review: seen },
      ...(change && { change }),
      seen: [...(change ? describeChange(change) : []), ...describeReview(seen)],
      message: messageOf(owned, change, item.verdict),
    }
  },
})

interface LockedHere {
  readonly target: Target
  readonly locked: LockedItem
}

function findLockedHere(workspace: Workspace, { file }: OpenedItem): LockedHere | undefined {
  if (!isWritable(file.space)) return undefined
  const target = targetOf(workspace, file.space)
  const items = readLock(target).sources.flatMap(source => source.items)
  const locked = items.find(one => splitName(one.name).type === file.type && idOfLocked(one) === file.id)
  return locked && { target, locked }
}

/** Undefined if the files differ from what was accepted, and that is not kept on this machine. */
async function changeHere(
  workspace: Workspace,
  { target, locked }: LockedHere,
): Promise<ItemChange | undefined> {
  const after = presentFiles(target, locked.name)
  if (after.size > 0 && digestFiles(locked.name, after) === locked.digest) return { fields: [], files: [] }
  const before = acceptedContent(acceptedFiles(workspace.library.userSpace), locked)
  if (before === undefined) return undefined
  for (const path of [...after.keys()])
    if (/(?:^|\/)SKILL\.sig$/.test(path) && !before.has(path)) after.delete(path)
  return compareItems(workspace, locked.name, { before, after })
}

function messageOf(
  owned: LockedHere | undefined,
  change: ItemChange | undefined,
  { status }: Verdict,
): string {
  if (owned === undefined) return 'no source brought it: nothing was accepted to compare it with'
  if (change === undefined)
    return 'not as it was locked, and what was locked is not kept on this machine: once its files are moved away, `rye install` brings it'
  if (change.files.length === 0 && status !== 'verified')
    return 'as it was locked, but nobody whom you trust has accepted it'
  return change.files.length === 0
    ? 'as it was accepted'
    : `changed since it was locked: ${countOf(change.files.length, 'file')}`
}
