// What `registry pull`, and `load` with a destination, bring from a registry into a space: files, and lines in the lock as `add` writes them.
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
  /** By their paths below `.ai/`. */
  readonly files: Files
  /** What was asked for: a tag, a range or a version. */
  readonly asked: string
  /** What was wanted of it; everything without a pattern. */
  readonly only: readonly string[]
  /** Those that are taken. */
  readonly items: readonly BundleItem[]
}

/** For `changeSpace`. What stands in the way is looked for by the caller, in the same turn. */
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

/** Whoever signed it is locked, trusted or not: another key for it is a stop later on. */
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
