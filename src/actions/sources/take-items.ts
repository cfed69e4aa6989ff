// Writes what was agreed to: files, approvals, lines of the lock, and the memory of signers and versions.
import { join } from 'node:path'
import { folderOf, readVersion } from '../../item/index.ts'
import { lockTaken } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'
import { changedMeanwhile, type SpaceChange } from './apply-change.ts'
import type { ArrivedItems } from './arrived-items.ts'
import type { ConsiderRequest } from './consider-items.ts'
import { type Decision, isSigned } from './decide.ts'
import { rememberNames } from './former-signers.ts'
import type { IncomingItem } from './incoming.ts'
import { contentToKeep } from './locked-items.ts'
import type { Merged } from './merge-edits.ts'
import { approveTaken } from './own-approvals.ts'
import { lockedItem, type TakenItem } from './taken-item.ts'
import { presentDigest, presentFiles, type Target } from './target.ts'

export interface AgreedItems {
  readonly arrived: ArrivedItems
  readonly decision: Decision
  readonly merged: readonly Merged[]
  /** Trusted or accepted, and not set aside. */
  readonly taken: readonly IncomingItem[]
}

interface Applying {
  apply(change: SpaceChange): void
}

export interface TakeRequest extends ConsiderRequest {
  readonly accept: readonly string[]
}

/** Throws `WRITE_FAILED`, also if an item was written while the user was asked about it. */
export async function takeItems(
  library: Library,
  request: TakeRequest,
  { arrived, decision, merged, taken, apply }: AgreedItems & Applying,
): Promise<void> {
  const { target, address, tree, only } = request
  const { source, resolved, same, lock } = arrived
  const reviewed = decision.accepted
  const { approvals, accepted, at } = await approveTaken(library, target, {
    ...{ source, resolved, items: taken, reviewed },
  })
  const wasAsked = reviewed.length > 0 && request.accept.length === 0
  if (wasAsked) refuseWrittenMeanwhile(target, arrived, taken)
  const items = taken.map(item => lockedItem({ ...takenFrom(item), accepted: accepted.get(item.name) }))
  const { ref } = 'ref' in address ? address : {}
  const state = { source, ref, resolved, integrity: tree.integrity, same }
  apply({
    ...changedFiles(target, taken, merged),
    approvals,
    // Content as it was accepted, without the merges made here.
    kept: taken.flatMap(({ name, files }) => contentToKeep(name, files)),
    lock: lockTaken(lock, { ...state, only, items }),
    placed: items,
  })
  for (const item of reviewed) if (item.olderThan) await acceptOlder(request, item, at)
  await rememberNames(library, tree.origin, taken)
}

function refuseWrittenMeanwhile(
  target: Target,
  { present }: ArrivedItems,
  taken: readonly IncomingItem[],
): void {
  const written = taken.find(item => presentDigest(target, item.name) !== present.get(item))
  if (written) throw changedMeanwhile(written.name)
}

/** A person decided to go back: this version counts as the newest from now on. */
async function acceptOlder({ workspace, target }: ConsiderRequest, item: IncomingItem, at: string) {
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

/** Deletes files of an item that its new state does not have. */
function changedFiles(
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
