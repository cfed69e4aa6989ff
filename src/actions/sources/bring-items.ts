// From a source to items in a space: find, name, read, judge, decide, write. `add` and `update` differ in what they begin with.
import { join } from 'node:path'
import { AppError, commandOf, matchesStars } from '../../base/index.ts'
import { folderOf, matchesGlob, readVersion } from '../../item/index.ts'
import {
  type FoundItem,
  type FoundItems,
  findItems,
  type LockedItem,
  type LockedSource,
  lockTaken,
  prefixOf,
  printAddress,
  printLock,
  type SourceAddress,
} from '../../sources/index.ts'
import { isOfRevoked, printSkillManifest } from '../../trust/approvals/index.ts'
import { findKeyProblem, getSigningKey } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { changeSpace, type SpaceChange } from './apply-change.ts'
import { chooseNames } from './choose-names.ts'
import { type Decision, decide, isSigned, isTrusted } from './decide.ts'
import { rememberNames, withFormerSigners } from './former-signers.ts'
import {
  digestSet,
  type IncomingItem,
  nameOfItem,
  readIncoming,
  stateOf,
  withoutOddSignature,
} from './incoming.ts'
import type { OpenedSource } from './open-source.ts'
import { approveTaken, type WrittenApprovals } from './own-approvals.ts'
import { manifestOf, presentDigest, presentFiles, readLock, type Target } from './target.ts'

export interface BringRequest {
  readonly workspace: Workspace
  readonly target: Target
  readonly address: SourceAddress
  readonly tree: OpenedSource
  readonly only: readonly string[]
  readonly accept: readonly string[]
  readonly dryRun: boolean
  /** Called with all that were read, before anybody is asked. */
  prepare?(items: readonly IncomingItem[]): Promise<void>
  /** Lines about an item, beside its review. */
  describe?(item: IncomingItem): readonly string[]
  /** Which of those found are wanted, by their names here, beside the patterns. */
  wants?(name: string): boolean
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
  /** Changed by hand since they were taken: left as they are. */
  readonly edited: readonly IncomingItem[]
  /** In place already, as they come. */
  readonly unchanged: readonly IncomingItem[]
  readonly left: readonly { readonly path: string; readonly reason: string }[]
}

export function bringItems(context: ActionContext, request: BringRequest): Promise<Brought> {
  return changeSpace(context.library, request.target, async apply => {
    const lock = readLock(request.target)
    const source = printAddress(request.address, request.target.base)
    const entry = lock.sources.find(one => one.source === source)
    const { items: found, left } = await considered(request, entry)
    const items = withFormerSigners(context.library, request.address, { items: found, entry })
    const present = new Map(items.map(item => [item, presentDigest(request.target, item.name)]))
    const locked = new Map(entry?.items.map(item => [item.name, item.digest]))
    const edited = items.filter(item => isEdited(present.get(item), locked.get(item.name), item.digest))
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
    const taken = [...decision.trusted, ...decision.accepted]
    const unchanged = taken.filter(item => present.get(item) === item.digest)
    const brought = { source, resolved, items, decision, edited, unchanged, left }
    if (taken.length === 0) return brought
    const { approvals, accepted, at } = await approveTaken(context.library, request.target, {
      ...brought,
      items: taken,
      reviewed: decision.accepted,
    })
    const lockedItems = taken.map(item => lockedItem(item, accepted))
    const { ref } = 'ref' in request.address ? request.address : {}
    const { integrity } = request.tree
    const next = lockTaken(lock, { source, ref, resolved, integrity, only: request.only, items: lockedItems })
    const change = changeOf(request.target, taken)
    apply({ ...change, approvals, manifests: manifestsOf(taken), lock: printLock(next) })
    for (const item of decision.accepted) if (item.olderThan) await acceptOlder(request, item, at)
    if (request.tree.origin) await rememberNames(context.library, request.tree.origin, taken)
    return brought
  })
}

/** Asked for before anybody reads a review: what a key says that nobody trusts would count for nothing. */
async function acceptorKey({ library }: ActionContext): Promise<void> {
  const key = getSigningKey(library.userSpace)
  const problem = await findKeyProblem(library.userSpace, key, library.now())
  if (problem) throw new AppError('KEY_INVALID', problem.message, { hint: commandOf(...problem.fix) })
}

interface Considered {
  readonly items: readonly IncomingItem[]
  readonly left: Brought['left']
}

async function considered(request: BringRequest, entry: LockedSource | undefined): Promise<Considered> {
  const { workspace, target, address, tree, only } = request
  const found = foundIn(workspace, address, tree)
  const wanted = found.items.filter(item => isWanted(item, only))
  if (wanted.length === 0) throw nothingFound(found, only)
  const known = new Map(entry?.items.map(item => [item.path, item.name]))
  const names = new Set(entry?.items.map(item => item.name))
  const contents = await tree.read([...new Set(wanted.flatMap(item => [...item.files.values()]))])
  const fitting = wanted.map(item => withoutOddSignature(item, contents))
  const choice = chooseNames(fitting, {
    prefix: prefixOf(address),
    known: item => idOf(item, known.get(item.path)),
    isTaken: (item, id) => !names.has(nameOfItem(item, id)) && isOccupied(request, { item, id, contents }),
  })
  const chosen = choice.items.filter(({ found: item, id }) => request.wants?.(nameOfItem(item, id)) ?? true)
  const items = await readIncoming({ workspace, target, contents }, chosen)
  const byName = [...items].sort((a, b) => (a.name < b.name ? -1 : 1))
  // No approval makes these usable: to offer them for a review would waste it.
  const ofRevoked = byName.filter(({ verdict }) => isOfRevoked(verdict, workspace.trust))
  const revoked = ofRevoked.map(item => ({
    path: item.found.path,
    reason: `signed with the key ${item.verdict.signer}, which is revoked`,
  }))
  return {
    items: byName.filter(item => !ofRevoked.includes(item)),
    left: [...found.refused, ...choice.left, ...revoked],
  }
}

/** A skill that is the source itself is called after it. */
export function foundIn({ extractors }: Workspace, address: SourceAddress, tree: OpenedSource): FoundItems {
  return findItems(tree, { extractors, name: ownName(address) })
}

function ownName(address: SourceAddress): string {
  if (address.kind === 'npm') return address.package.split('/').at(-1)!
  const path = address.kind === 'git' ? (address.path ?? address.url.replace(/\.git$/, '')) : address.path
  return path
    .split(/[/:]/)
    .at(-1)!
    .replace(/\.(?:tgz|zip|tar|tar\.gz)$/i, '')
}

/** `pdf*`, `team/**` or `skill:pdf`. */
export function isWanted({ type, id }: FoundItem, only: readonly string[]): boolean {
  return (
    only.length === 0 ||
    only.some(pattern => {
      const colon = pattern.indexOf(':')
      return colon === -1
        ? matchesGlob(pattern, id)
        : matchesStars(pattern.slice(0, colon), type) && matchesGlob(pattern.slice(colon + 1), id)
    })
  )
}

function nothingFound({ items, refused }: FoundItems, only: readonly string[]): AppError {
  if (items.length > 0)
    return new AppError(
      'ITEM_NOT_FOUND',
      `nothing in the source matches ${only.map(one => `\`${one}\``).join(', ')}`,
      {
        hint: 'see what is there with --list',
      },
    )
  const reason = refused[0] ? `: \`${refused[0].path}\` was refused, ${refused[0].reason}` : ''
  return new AppError('ITEM_NOT_FOUND', `the source holds no items${reason}`, {
    hint: 'expected a folder `.ai/`, or folders with a `SKILL.md`',
  })
}

function idOf({ type, extension }: FoundItem, name: string | undefined): string | undefined {
  if (name === undefined || !name.startsWith(`${type}:`)) return undefined
  const below = name.slice(type.length + 1)
  return type === 'skill' ? below : below.slice(0, -extension.length)
}

interface Placing {
  readonly item: FoundItem
  readonly id: string
  readonly contents: ReadonlyMap<string, Uint8Array>
}

/**
 * Something else than what comes is under this id in the space, also in a folder of another client. The folder of a skill is its own: it
 * neither holds files of others, such as skills below the same name, nor lies in another skill.
 */
function isOccupied({ workspace, target }: BringRequest, { item, id, contents }: Placing): boolean {
  const has = (own: string) => workspace.has({ type: item.type, id: own, space: target.space })
  if (item.type === 'skill' && foldersAround(id).some(has)) return true
  const there = presentFiles(target, nameOfItem(item, id))
  if (there.size === 0) return has(id)
  const isSame = ([path, from]: readonly [string, string]) => {
    const bytes = there.get(`${id}${path.slice(item.id.length)}`)
    return bytes !== undefined && Buffer.compare(bytes, contents.get(from)!) === 0
  }
  return there.size !== item.files.size || ![...item.files].every(isSame)
}

/** `a` and `a/b` of `a/b/c`. */
function foldersAround(id: string): string[] {
  const segments = id.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
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

function lockedItem(
  { name, digest, found, verdict, ownVerdict }: IncomingItem,
  accepted: WrittenApprovals['accepted'],
): LockedItem {
  const signed = [verdict, ownVerdict].find(isSigned)
  const by = accepted.get(name)
  return {
    ...{ name, digest, path: found.path },
    ...(signed?.signer && signed.signer !== 'system' && { signer: signed.signer }),
    ...(by !== undefined && { accepted: by }),
  }
}

function manifestsOf(items: readonly IncomingItem[]): string[] {
  const skills = items.filter(({ found }) => found.type === 'skill')
  return skills.map(({ id, files }) => printSkillManifest(new Map(manifestOf(id, files))))
}

/** Files of an item that came without them go with it. */
function changeOf(target: Target, items: readonly IncomingItem[]): Pick<SpaceChange, 'files' | 'removed'> {
  const files = new Map<string, Uint8Array>()
  const removed: string[] = []
  for (const item of items) {
    const below = (path: string) => join('.ai', folderOf(item.found.type), path)
    for (const [path, bytes] of item.files) files.set(below(path), bytes)
    for (const path of presentFiles(target, item.name).keys())
      if (!item.files.has(path)) removed.push(below(path))
  }
  return { files, removed }
}
