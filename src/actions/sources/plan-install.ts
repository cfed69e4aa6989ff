// Compares a space with its lock: what is missing, what was changed here, and what should be removed.
import { join } from 'node:path'
import { sweepFolders } from '../../files/index.ts'
import { folderOf } from '../../item/index.ts'
import type { Lock, LockedItem, LockedSource } from '../../sources/index.ts'
import type { SpaceChange } from './apply-change.ts'
import { contentToKeep, type ItemState } from './locked-items.ts'
import type { PlacedItems } from './placed-items.ts'
import { presentDigest, presentFiles, splitName, type Target } from './target.ts'

export interface InstallPlan {
  readonly all: readonly {
    readonly source: LockedSource
    readonly item: LockedItem
    readonly state: ItemState
  }[]
  /** Names of items that are no longer locked, but are exactly as this machine put them here. */
  readonly gone: readonly string[]
}

export function allInPlace({ sources }: Lock): InstallPlan {
  const all = sources.flatMap(source =>
    source.items.map(item => ({ source, item, state: 'in place' as const })),
  )
  return { all, gone: [] }
}

/** An item that is still as it was put here for an earlier lock counts as missing. */
export function planInstall(target: Target, lock: Lock, placed: PlacedItems): InstallPlan {
  const itemState = ({ name, digest }: LockedItem): ItemState => {
    const present = presentDigest(target, name)
    if (present === digest || (present !== undefined && sweptDigest(target, name) === digest))
      return 'in place'
    return present === undefined || present === placed.get(name) ? 'missing' : 'edited'
  }
  const all = lock.sources.flatMap(source =>
    source.items.map(item => ({ source, item, state: itemState(item) })),
  )
  const locked = new Set(all.map(({ item }) => item.name))
  const gone = [...placed].filter(
    ([name, digest]) => !locked.has(name) && presentDigest(target, name) === digest,
  )
  return { all, gone: gone.map(([name]) => name) }
}

/** The digest without leftovers of a failed write: in the folder of a skill every file counts. */
function sweptDigest(target: Target, name: string): string | undefined {
  const { base: root } = target
  sweepFolders(
    [...presentFiles(target, name).keys()].map(path => join(root, placeBelow(name, path))),
    root,
  )
  return presentDigest(target, name)
}

type Contents = ReadonlyMap<LockedItem, ReadonlyMap<string, Uint8Array>>

export function installChange(
  target: Target,
  contents: Contents,
  { gone }: InstallPlan,
): Pick<SpaceChange, 'files' | 'removed' | 'approvals' | 'kept' | 'placed'> {
  const files = new Map<string, Uint8Array>()
  for (const [{ name }, content] of contents)
    for (const [path, bytes] of content) files.set(placeBelow(name, path), bytes)
  const kept = Array.from(contents, ([{ name }, content]) => contentToKeep(name, content)).flat()
  const touched = [...gone, ...[...contents.keys()].map(({ name }) => name)]
  const present = touched.flatMap(name =>
    [...presentFiles(target, name).keys()].map(path => placeBelow(name, path)),
  )
  const removed = present.filter(path => !files.has(path))
  return { files, removed, approvals: new Map(), kept, placed: [...contents.keys()] }
}

function placeBelow(name: string, path: string): string {
  return join('.ai', folderOf(splitName(name).type), path)
}
