// Brings items from a source into a space: finds, names, reads, judges, decides and writes. `add` and
// `update` differ only in what they start with.
import { AppError, commandOf } from '../../base/index.ts'
import { acceptedFiles, findKeyProblem, getSigningKey } from '../../user/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { changeSpace } from './apply-change.ts'
import { type ArrivedItems, readArrived } from './arrived-items.ts'
import { type Decision, decide, isTrusted } from './decide.ts'
import { digestSet, type IncomingItem } from './incoming.ts'
import { type Merged, mergeEdits } from './merge-edits.ts'
import { type AgreedItems, type TakeRequest, takeItems } from './take-items.ts'

export interface BringRequest extends TakeRequest {
  readonly dryRun: boolean
  /** Called with all items that were read, before anybody is asked. */
  prepare?(items: readonly IncomingItem[]): Promise<void>
  /** Lines about an item, shown beside its review. */
  describe?(item: IncomingItem): readonly string[]
  /** Whether accepted digests may belong to another source. */
  readonly isForOthers?: boolean
  /** Whether an item belongs to the set whose digest is accepted. Default: all do. */
  isAcceptedSet?(item: IncomingItem): boolean
}

export interface Brought {
  /** The address in the form of the lock. */
  readonly source: string
  readonly resolved: string
  /** All items that were considered, sorted by name. */
  readonly items: readonly IncomingItem[]
  readonly decision: Decision
  /** Changed by hand since they were taken, but not in their source: left as they are. */
  readonly edited: readonly IncomingItem[]
  /** Changed in both places: the merged files of each, or how to compare them. */
  readonly merged: readonly Merged[]
  /** Already in place, exactly as they come. */
  readonly unchanged: readonly IncomingItem[]
  /** Names of items that were not read because they are as they were locked. */
  readonly same: readonly string[]
  readonly left: readonly { readonly path: string; readonly reason: string }[]
}

export function bringItems(context: ActionContext, request: BringRequest): Promise<Brought> {
  return changeSpace(context.library, request.target, async apply => {
    const arrived = await readArrived(context.library, request)
    const decision = await decideAbout(context, request, arrived)
    const merged = mergeAgreed(request, arrived, decision)
    const apart = new Set(merged.flatMap(one => ('compare' in one ? one.item : [])))
    const taken = [...decision.trusted, ...decision.accepted].filter(item => !apart.has(item))
    const agreed = { arrived, decision, merged, taken }
    if (isWorthWriting(request, agreed)) await takeItems(context.library, request, { ...agreed, apply })
    const { source, resolved, items, left, same, present, editedHereAlone } = arrived
    return {
      ...{ source, resolved, items, decision, merged, left, same, edited: [...editedHereAlone] },
      unchanged: taken.filter(item => present.get(item) === item.digest),
    }
  })
}

/** Decides about every item except those changed only here, for which nothing comes. */
async function decideAbout(
  context: ActionContext,
  request: BringRequest,
  { items: all, editedHereAlone }: ArrivedItems,
): Promise<Decision> {
  const { accept, dryRun, isForOthers = false } = request
  const items = all.filter(item => !editedHereAlone.has(item))
  const mayBeAccepted = accept.length > 0 || context.confirm !== undefined
  if (!dryRun && mayBeAccepted && !items.every(isTrusted)) await requireAcceptorKey(context)
  await request.prepare?.(all)
  if (dryRun) return { trusted: [], accepted: [], open: items }
  const isInSet = request.isAcceptedSet ?? (() => true)
  const describe = request.describe ?? (() => [])
  return decide(context, {
    ...{ items, accept, isForOthers, isInSet, describe },
    set: digestSet(all.filter(isInSet)),
  })
}

/** Checked before anybody reads a review: an approval by a key that is not trusted would have no effect. */
async function requireAcceptorKey({ library }: ActionContext): Promise<void> {
  const key = getSigningKey(library.userSpace)
  const problem = await findKeyProblem(library.userSpace, key, library.now())
  if (problem) throw new AppError('KEY_INVALID', problem.message, { hint: commandOf(...problem.fix) })
}

function mergeAgreed(
  { workspace, target }: BringRequest,
  { editedHere, locked }: ArrivedItems,
  { trusted, accepted }: Decision,
): Merged[] {
  const kept = acceptedFiles(workspace.library.userSpace)
  return [...trusted, ...accepted]
    .filter(item => editedHere.has(item))
    .map(item => mergeEdits(workspace, target, { item, locked: locked.get(item.name)!, kept }))
}

/**
 * While something waits for a decision, the new state does not count as taken, so that `outdated` keeps
 * naming it.
 */
function isWorthWriting({ dryRun }: BringRequest, { arrived, decision, taken }: AgreedItems): boolean {
  const { entry, resolved, same, present, locked } = arrived
  const isDecided = !dryRun && decision.open.length === 0
  const movesOn = same.length > 0 && entry !== undefined && entry.resolved !== resolved
  if (isDecided) return movesOn || taken.length > 0
  const accepted = new Set(decision.accepted)
  return taken.some(
    item =>
      accepted.has(item) ||
      present.get(item) !== item.digest ||
      locked.get(item.name)?.digest !== item.digest,
  )
}
