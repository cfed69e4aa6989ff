// Turns the files of a source into the items that they would be here: finds, filters, names, reads and judges
// them.
import { AppError, matchesStars } from '../../base/index.ts'
import { matchesGlob } from '../../item/index.ts'
import {
  type FoundItem,
  type FoundItems,
  findItems,
  type LockedSource,
  prefixOf,
  type SourceAddress,
} from '../../sources/index.ts'
import { isOfRevoked } from '../../trust/approvals/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { chooseNames } from './choose-names.ts'
import { type IncomingItem, nameOfItem, readIncoming, withoutOddSignature } from './incoming.ts'
import type { OpenedSource } from './open-source.ts'
import { presentFiles, type Target } from './target.ts'

export interface ConsiderRequest {
  readonly workspace: Workspace
  readonly target: Target
  readonly address: SourceAddress
  readonly tree: OpenedSource
  readonly only: readonly string[]
  /** Items that are not even read: `same` is unchanged since it was locked, `other` is not wanted. */
  skips?(item: FoundItem): { readonly same: string } | 'other' | undefined
  /** Which of the items that were read are wanted, by their names here, in addition to the patterns. */
  wants?(name: string): boolean
}

export interface Considered {
  readonly items: readonly IncomingItem[]
  /** Paths that are not items, may not be items, or cannot be named, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[]
  readonly same: readonly string[]
}

export async function considerItems(
  request: ConsiderRequest,
  entry: LockedSource | undefined,
): Promise<Considered> {
  const { workspace, target, address, tree, only } = request
  const found = foundIn(workspace, address, tree)
  const wanted = found.items.filter(item => isWanted(item, only))
  if (wanted.length === 0) throw nothingFound(found, only)
  const skipped = new Map(wanted.map(item => [item, request.skips?.(item)]))
  const read = wanted.filter(item => skipped.get(item) === undefined)
  const same = [...skipped.values()].flatMap(skip => (typeof skip === 'object' ? skip.same : []))
  const known = new Map(entry?.items.map(item => [item.path, item.name]))
  const names = new Set(entry?.items.map(item => item.name))
  const contents = await tree.read([...new Set(read.flatMap(item => [...item.files.values()]))])
  const fitting = read.map(item => withoutOddSignature(item, contents))
  const choice = chooseNames(fitting, {
    prefix: prefixOf(address),
    known: item => idOf(item, known.get(item.path)),
    isTaken: (item, id) => !names.has(nameOfItem(item, id)) && isOccupied(request, { item, id, contents }),
  })
  const chosen = choice.items.filter(({ found: item, id }) => request.wants?.(nameOfItem(item, id)) ?? true)
  const items = await readIncoming({ workspace, target, contents }, chosen)
  const byName = [...items].sort((a, b) => (a.name < b.name ? -1 : 1))
  // No approval makes these usable, so a review would be wasted.
  const ofRevoked = byName.filter(({ verdict }) => isOfRevoked(verdict, workspace.trust))
  const revoked = ofRevoked.map(item => ({
    path: item.found.path,
    reason: `signed with the key ${item.verdict.signer}, which is revoked`,
  }))
  return {
    items: byName.filter(item => !ofRevoked.includes(item)),
    left: [...found.refused, ...choice.left, ...revoked],
    same,
  }
}

/** If the source itself is a skill, it is named after the source, or after its folder in an archive. */
export function foundIn({ extractors }: Workspace, address: SourceAddress, tree: OpenedSource): FoundItems {
  return findItems(tree, { extractors, name: tree.name ?? ownName(address) })
}

function ownName(address: SourceAddress): string {
  if (address.kind === 'npm') return address.package.split('/').at(-1)!
  const path = address.kind === 'git' ? (address.path ?? address.url.replace(/\.git$/, '')) : address.path
  return path
    .split(/[/:]/)
    .at(-1)!
    .replace(/\.(?:tgz|zip|tar|tar\.gz)$/i, '')
}

/** Patterns look like `pdf*`, `team/**` or `skill:pdf`. */
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
 * Whether this id is taken by something other than the incoming item, in this space or in a client's folder.
 * A skill has its folder to itself: other files, such as skills below the same name, may not be in it, and it
 * may not be inside another skill.
 */
function isOccupied({ workspace, target }: ConsiderRequest, { item, id, contents }: Placing): boolean {
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

/** `a` and `a/b` for `a/b/c`. */
function foldersAround(id: string): string[] {
  const segments = id.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
