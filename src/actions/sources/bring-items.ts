// From a source to items in a space: find, name, read, judge, decide, write. `add` and `update` differ in what they begin with.
import { join } from 'node:path'
import { AppError, commandOf } from '../../base/index.ts'
import { folderOf, readVersion } from '../../item/index.ts'
import { lockTaken, printAddress } from '../../sources/index.ts'
import { acceptedFiles, findKeyProblem, getSigningKey } from '../../user/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { changedMeanwhile, changeSpace, type SpaceChange } from './apply-change.ts'
import { type ConsiderRequest, considerItems } from './consider-items.ts'
import { type Decision, decide, isSigned, isTrusted } from './decide.ts'
import { rememberNames, withFormerSigners } from './former-signers.ts'
import { digestSet, type IncomingItem, stateOf } from './incoming.ts'
import { type Merged, mergeEdits } from './merge-edits.ts'
import { approveTaken } from './own-approvals.ts'
import { lockedItem, skillLists, type TakenItem } from './taken-item.ts'
import { presentDigest, presentFiles, readLock, type Target } from './target.ts'

export interface BringRequest extends ConsiderRequest {
  readonly accept: readonly string[]
  readonly dryRun: boolean
  /** Called with all that were read, before anybody is asked. */
  prepare?(items: readonly IncomingItem[]): Promise<void>
  /** Lines about an item, beside its review. */
  describe?(item: IncomingItem): readonly string[]
  /** What is accepted may be of another source. */
  readonly isForOthers?: boolean
  /** Whether an item belongs to the set whose digest is accepted; all of them without it. */
  isAcceptedSet?(item: IncomingItem): boolean
}

export interface Brought {
  /** As the lock has it. */
  readonly source: string
  readonly resolved: string
  /** All that were considered, sorted by name. */
  readonly items: readonly IncomingItem[]
  readonly decision: Decision
  /** Changed by hand since they were taken, and not in their source: left as they are. */
  readonly edited: readonly IncomingItem[]
  /** Changed in both places: what was made of each, or how to compare. */
  readonly merged: readonly Merged[]
  /** In place already, as they come. */
  readonly unchanged: readonly IncomingItem[]
  /** Names of those that were not read, for they are as they were locked. */
  readonly same: readonly string[]
  readonly left: readonly { readonly path: string; readonly reason: string }[]
}

export function bringItems(context: ActionContext, request: BringRequest): Promise<Brought> {
  return changeSpace(context.library, request.target, async apply => {
    const lock = readLock(request.target)
    const source = printAddress(request.address, request.target.base)
    const entry = lock.sources.find(one => one.source === source)
    const { items: found, left, same } = await considerItems(request, entry)
    const items = withFormerSigners(context.library, request.tree.origin, { items: found, lock })
    const present = new Map(items.map(item => [item, presentDigest(request.target, item.name)]))
    const locked = new Map(entry?.items.map(item => [item.name, item]))
    const here = items.filter(item => isEdited(present.get(item), locked.get(item.name)?.digest, item.digest))
    const edited = here.filter(item => locked.get(item.name)!.digest === item.digest)
    const free = items.filter(item => !edited.includes(item))
    const resolved = stateOf(request.tree, items)
    if (
      !request.dryRun &&
      free.some(item => !isTrusted(item)) &&
      (request.accept.length > 0 || context.confirm)
    )
      await acceptorKey(context)
    await request.prepare?.(items)
    const isIn = request.isAcceptedSet ?? (() => true)
    const decision = request.dryRun
      ? { trusted: [], accepted: [], open: free }
      : await decide(context, {
          items: free,
          set: digestSet(items.filter(isIn)),
          isInSet: isIn,
          accept: request.accept,
          isForOthers: request.isForOthers ?? false,
          describe: request.describe ?? (() => []),
        })
    const agreed = [...decision.trusted, ...decision.accepted]
    const kept = acceptedFiles(context.library.userSpace)
    const merged = agreed
      .filter(item => here.includes(item))
      .map(item =>
        mergeEdits(request.workspace, request.target, { item, locked: locked.get(item.name)!, kept }),
      )
    const apart = new Set(merged.flatMap(one => ('compare' in one ? one.item : [])))
    const taken = agreed.filter(item => !apart.has(item))
    const unchanged = taken.filter(item => present.get(item) === item.digest)
    const brought = { source, resolved, items, decision, edited, merged, unchanged, left, same }
    // A state in which something waits for a decision is not one that was taken: `outdated` is to go on naming it.
    const isDecided = !request.dryRun && decision.open.length === 0
    const movesOn = same.length > 0 && entry !== undefined && entry.resolved !== resolved && isDecided
    const isNew = (item: IncomingItem) =>
      decision.accepted.includes(item) ||
      present.get(item) !== item.digest ||
      locked.get(item.name)?.digest !== item.digest
    if (!movesOn && !(isDecided ? taken.length > 0 : taken.some(isNew))) return brought
    const { approvals, accepted, at } = await approveTaken(context.library, request.target, {
      ...brought,
      items: taken,
      reviewed: decision.accepted,
    })
    const wasAsked = decision.accepted.length > 0 && request.accept.length === 0
    const edit = taken.find(
      item => wasAsked && presentDigest(request.target, item.name) !== present.get(item),
    )
    if (edit) throw changedMeanwhile(edit.name)
    const lockedItems = taken.map(item =>
      lockedItem({ ...takenFrom(item), accepted: accepted.get(item.name) }),
    )
    const { ref } = 'ref' in request.address ? request.address : {}
    const { integrity } = request.tree
    const state = { source, ref, resolved, integrity, same }
    const next = lockTaken(lock, { ...state, only: request.only, items: lockedItems })
    const change = changeOf(request.target, taken, merged)
    apply({ ...change, approvals, kept: keptOf(taken), lock: next, placed: lockedItems })
    for (const item of decision.accepted) if (item.olderThan) await acceptOlder(request, item, at)
    await rememberNames(context.library, request.tree.origin, taken)
    return brought
  })
}

/** Asked for before anybody reads a review: what a key says that nobody trusts would count for nothing. */
async function acceptorKey({ library }: ActionContext): Promise<void> {
  const key = getSigningKey(library.userSpace)
  const problem = await findKeyProblem(library.userSpace, key, library.now())
  if (problem) throw new AppError('KEY_INVALID', problem.message, { hint: commandOf(...problem.fix) })
}

/** Neither what was taken nor what comes now. */
function isEdited(present: string | undefined, locked: string | undefined, incoming: string): boolean {
  return present !== undefined && locked !== undefined && present !== locked && present !== incoming
}

/** A person has decided to go back: from now on this is the newest. */
async function acceptOlder({ workspace, target }: BringRequest, item: IncomingItem, at: string) {
  const { found, id, verdict, metadata, digest } = item
  const { format, timestamp } = isSigned(verdict) ? verdict : { format: 'manifest' as const, timestamp: at }
  if (format === null || timestamp === null) return
  const file = { type: found.type, id, space: target.space, path: found.path }
  const use = { format, timestamp, hash: verdict.hash ?? digest }
  await workspace.memory.accept(file, use, readVersion(metadata.version))
}

function takenFrom({ name, digest, found, verdict, ownVerdict }: IncomingItem): TakenItem {
  const signed = [verdict, ownVerdict].find(isSigned)
  return { name, digest, path: found.path, signer: signed?.signer }
}

/** As they were accepted, whatever is made of them here. */
function keptOf(items: readonly IncomingItem[]): Uint8Array[] {
  return [...skillLists(items), ...items.flatMap(({ files }) => [...files.values()])]
}

/** Files of an item that came without them go with it. */
function changeOf(
  target: Target,
  items: readonly IncomingItem[],
  merged: readonly Merged[],
): Pick<SpaceChange, 'files' | 'removed'> {
  const own = new Map(merged.flatMap(one => ('files' in one ? [[one.item, one.files] as const] : [])))
  const files = new Map<string, Uint8Array>()
  const removed: string[] = []
  for (const item of items) {
    const below = (path: string) => join('.ai', folderOf(item.found.type), path)
    const placed = own.get(item) ?? item.files
    for (const [path, bytes] of placed) files.set(below(path), bytes)
    for (const path of presentFiles(target, item.name).keys())
      if (!placed.has(path)) removed.push(below(path))
  }
  return { files, removed }
}
