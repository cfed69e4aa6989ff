// Items of a lock: which ones a person means, their states, and their bytes as they were taken.
import { AppError, quoteText } from '../../base/index.ts'
import { nameOf } from '../../item/index.ts'
import type { Lock, LockedItem, LockedSource } from '../../sources/index.ts'
import { approvedVerdict, parseSkillManifest, printSkillManifest } from '../../trust/approvals/index.ts'
import type { AcceptedFiles } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { manifestOf, presentDigest, splitName, type Target } from './target.ts'

export interface OwnedItem {
  readonly source: LockedSource
  readonly item: LockedItem
}

export type ItemState = 'in place' | 'missing' | 'edited'

export function stateOfItem(target: Target, { name, digest }: LockedItem): ItemState {
  const present = presentDigest(target, name)
  if (present === undefined) return 'missing'
  return present === digest ? 'in place' : 'edited'
}

/** The id of an item, without the extension. */
export function idOfLocked({ name }: Pick<LockedItem, 'name'>): string {
  const { type, below } = splitName(name)
  return type === 'skill' ? below : below.replace(/\.[^./]+$/, '')
}

export function refOfLocked(item: Pick<LockedItem, 'name'>): string {
  return `${splitName(item.name).type}:${idOfLocked(item)}`
}

/** Whether somebody trusted here vouches for the locked bytes: a clone brings both its lock and the files. */
export function isVouchedFor(workspace: Workspace, target: Target, item: LockedItem): boolean {
  const { name, digest } = item
  const [{ type }, id] = [splitName(name), idOfLocked(item)]
  const named = { type, id, root: target.base, name, digest: () => digest }
  if (approvedVerdict(named, workspace.trust)) return true
  if (presentDigest(target, name) !== digest) return false
  return workspace.read(workspace.find({ type, id, space: target.space })).verdict.status === 'verified'
}

/** Finds a source by its address or the end of it, or an item by its id. Throws `ITEM_NOT_FOUND`. */
export function findLocked(lock: Lock, name: string): OwnedItem[] {
  const all = lock.sources.flatMap(source => source.items.map(item => ({ source, item })))
  const bySource = all.filter(({ source: { source } }) => source === name || endsWithName(source, name))
  if (bySource.length > 0) return bySource
  const byItem = all.filter(
    ({ item }) => item.name === name || refOfLocked(item) === name || idOfLocked(item) === name,
  )
  const byName = byItem.length > 0 ? byItem : all.filter(({ item }) => nameOf(idOfLocked(item)) === name)
  if (byName.length > 0) return byName
  throw new AppError('ITEM_NOT_FOUND', `the lock has no source and no item ${quoteText(name)}`, {
    hint: `it has ${lock.sources.map(({ source }) => `\`${source}\``).join(', ') || 'nothing'}`,
  })
}

/** `acme/skills` matches `https://github.com/acme/skills.git`. */
function endsWithName(source: string, name: string): boolean {
  return source.replace(/\.git$/, '').endsWith(`/${name}`) || source === `npm:${name}`
}

/**
 * The files of an item as they were accepted, by path relative to the type folder; undefined if they are not
 * kept on this machine.
 */
export function acceptedContent(
  kept: AcceptedFiles,
  { name, digest }: LockedItem,
): Map<string, Uint8Array> | undefined {
  const { type, below } = splitName(name)
  if (type !== 'skill') {
    const bytes = kept.find(digest)
    return bytes && new Map([[below, bytes]])
  }
  return skillContent(kept, below, digest)
}

/** The list of a skill's files is kept like a file; its digest is that of the skill. */
function skillContent(kept: AcceptedFiles, id: string, digest: string): Map<string, Uint8Array> | undefined {
  const manifest = kept.find(digest)
  const listed = manifest && parseSkillManifest(Buffer.from(manifest).toString('utf8'))
  if (!listed || typeof listed === 'string') return undefined
  const files = [...listed].map(([path, wanted]) => [`${id}/${path}`, kept.find(wanted)] as const)
  if (files.some(([, bytes]) => bytes === undefined)) return undefined
  return new Map(files as [string, Uint8Array][])
}

/**
 * Everything that must be kept for `acceptedContent` to find it: the files of an item, and for a skill the
 * list of its files.
 */
export function contentToKeep(name: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const { type, below } = splitName(name)
  const list = type === 'skill' ? printSkillManifest(new Map(manifestOf(below, files))) : undefined
  return [...(list === undefined ? [] : [Buffer.from(list)]), ...files.values()]
}

/** A shortened state for messages. */
export function shortState(state: string): string {
  return /^[0-9a-f]{40}$/.test(state)
    ? state.slice(0, 12)
    : state.startsWith('sha256-')
      ? state.slice(0, 19)
      : state
}
