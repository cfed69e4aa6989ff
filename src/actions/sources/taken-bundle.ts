// What `registry pull`, and `load` with a destination, bring from a registry into a space: files, and lines
// in the lock like those of `add`.
import { join } from 'node:path'
import { folderOf } from '../../item/index.ts'
import type { BundleItem, Files } from '../../registry/index.ts'
import { type LockedItem, lockTaken } from '../../sources/index.ts'
import type { TrustContext } from '../../trust/index.ts'
import type { SpaceChange } from './apply-change.ts'
import { nameOfItem } from './incoming.ts'
import { contentToKeep } from './locked-items.ts'
import { lockedItem, type NamedFiles } from './taken-item.ts'
import { digestFiles, readLock, type Target } from './target.ts'

export interface TakenBundle {
  readonly package: string
  readonly version: string
  readonly integrity: string
  /** By path relative to `.ai/`. */
  readonly files: Files
  /** The tag, range or version that was asked for. */
  readonly asked: string
  /** Patterns of the wanted items; empty for everything. */
  readonly only: readonly string[]
  /** The items that are taken. */
  readonly items: readonly BundleItem[]
}

/** The change for `changeSpace`. The caller checks for conflicts in the same turn. */
export function changeOfBundle(target: Target, bundle: TakenBundle, trust: TrustContext): SpaceChange {
  const { package: name, version, integrity, asked, only, files, items } = bundle
  const named = items.map(item => ({ item, ...namedFiles(item, files) }))
  const placed = named.map(one => lockedFrom(one, trust, target))
  const taken = {
    source: `npm:${name}`,
    ref: asked === 'latest' ? undefined : asked,
    resolved: version,
    integrity,
    only,
  }
  return {
    files: new Map(items.flatMap(({ paths }) => paths.map(path => [join('.ai', path), files.get(path)!]))),
    removed: [],
    approvals: new Map(),
    lock: lockTaken(readLock(target), { ...taken, items: placed }),
    placed,
    kept: named.flatMap(({ name: own, files: content }) => contentToKeep(own, content)),
  }
}

function namedFiles({ type, id, extension, paths }: BundleItem, files: Files): NamedFiles {
  const below = (path: string) => path.slice(folderOf(type).length + 1)
  return {
    name: nameOfItem({ type, extension }, id),
    files: new Map(paths.map(path => [below(path), files.get(path)!])),
  }
}

/** Locks the signer whether it is trusted or not: another key for the item is refused later on. */
function lockedFrom(
  { item, name, files }: NamedFiles & { readonly item: BundleItem },
  trust: TrustContext,
  { base }: Target,
): LockedItem {
  const { signer, status, approved } = item.judge(trust, base)
  const isIntact = status === 'verified' || status === 'untrusted'
  return lockedItem({
    ...{ name, digest: digestFiles(name, files), path: `.ai/${item.path}` },
    ...(isIntact && signer !== null && (approved ? { accepted: signer } : { signer })),
  })
}
