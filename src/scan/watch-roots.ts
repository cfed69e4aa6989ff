// Tells whether anything below the item roots may have changed since it was last asked. One watch per folder: the
// kernel queues an event before the writer's call returns, so a change made before a request is seen by that request.
// A watch belongs to a folder, not to its path: where another folder stands now, as after `git checkout`, it is made anew.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import type { ItemRoot } from './item-roots.ts'

export interface RootWatch {
  /** False when the system gives us no more watches: then everything must be looked at each time. */
  readonly reliable: boolean
  /** Whether something may have changed since the last `rearm`. */
  isDirty(): boolean
  /** Watches what is there now, and counts as clean from here on. Call before looking, so that nothing slips between. */
  rearm(roots: readonly ItemRoot[]): void
  close(): void
}

/** More folders than this are cheaper to walk than to watch. */
const MOST_FOLDERS = 20_000

/** Names that matter in a folder, or null for all. Above a root only the way down to it matters. */
type Wanted = ReadonlySet<string> | null

interface FolderWatch {
  readonly watcher: FSWatcher
  /** Taken before the watch was made: when the folder was replaced between, it looks replaced, and is watched once more. */
  readonly identity: string
  wanted: Wanted
  /** The folder itself was moved or deleted, or its watch failed. */
  isOver: boolean
}

export function watchRoots(): RootWatch {
  const watches = new Map<string, FolderWatch>()
  let bases = new Map<string, string | undefined>()
  let dirty = true
  let reliable = true

  const drop = (folder: string) => {
    watches.get(folder)?.watcher.close()
    watches.delete(folder)
  }
  const add = (folder: string, identity: string, wanted: Wanted) => {
    try {
      const ownName = basename(folder)
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // That it was moved or deleted itself is told in its own name.
        if (event === 'rename' && name === ownName) end()
        else if (made.wanted === null || name === null || made.wanted.has(name)) dirty = true
      })
      const made: FolderWatch = { watcher, identity, wanted, isOver: false }
      const end = () => {
        made.isOver = true
        dirty = true
      }
      watcher.on('error', end)
      watches.set(folder, made)
    } catch {
      // Out of watches, or the folder went away: without a watch we cannot vouch for it.
      reliable = false
    }
  }
  /** Whether the folder was not watched before. */
  const ensure = (folder: string, wanted: Wanted): boolean => {
    const identity = identityOf(folder)
    const known = watches.get(folder)
    if (known && !known.isOver && known.identity === identity) {
      known.wanted = wanted
      return false
    }
    drop(folder)
    if (identity === undefined) reliable = false
    else add(folder, identity, wanted)
    return true
  }

  return {
    get reliable() {
      return reliable
    },
    // Nobody watches the folders above a base, so it may come, go or be replaced with them, and no event tells.
    isDirty: () => dirty || !reliable || [...bases].some(([base, known]) => identityOf(base) !== known),
    rearm(roots) {
      dirty = false
      bases = new Map(roots.map(({ base }) => [base, identityOf(base)]))
      const folders = foldersToWatch(roots)
      reliable = folders.size <= MOST_FOLDERS
      for (const folder of watches.keys()) if (!reliable || !folders.has(folder)) drop(folder)
      if (!reliable) return
      const added = [...folders].filter(([folder, wanted]) => ensure(folder, wanted))
      // What came into a folder after it was listed and before it was watched has no watch, and no event tells of it.
      dirty = added.some(([folder, wanted]) => subfolders(folder, wanted).some(path => !folders.has(path)))
    },
    close() {
      for (const folder of watches.keys()) drop(folder)
    },
  }
}

/** Folder → names that matter in it. A folder stands before those below it. */
function foldersToWatch(roots: readonly ItemRoot[]): Map<string, Wanted> {
  const folders = new Map<string, Set<string> | null>()
  for (const root of roots) {
    let folder = root.base
    for (const segment of root.segments) {
      if (identityOf(folder) === undefined) break
      const names = folders.get(folder)
      if (names === undefined) folders.set(folder, new Set([segment]))
      else names?.add(segment)
      folder = `${folder}/${segment}`
    }
    for (const below of foldersBelow([root.base, ...root.segments].join('/'))) folders.set(below, null)
  }
  return folders
}

function foldersBelow(root: string): string[] {
  const found: string[] = []
  const pending = [root]
  while (pending.length > 0 && found.length <= MOST_FOLDERS) {
    const folder = pending.pop()!
    const below = list(folder)
    if (below === undefined) continue
    found.push(folder)
    for (const path of below) pending.push(path)
  }
  return found
}

function subfolders(folder: string, wanted: Wanted): string[] {
  if (wanted === null) return list(folder) ?? []
  return [...wanted].map(name => `${folder}/${name}`).filter(path => identityOf(path) !== undefined)
}

function list(folder: string): string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name))
      .map(entry => `${folder}/${entry.name}`)
  } catch {
    // Absent or unreadable: there is nothing to watch, and its parent is watched for its coming.
    return undefined
  }
}

/** Tells the folder at a path from any other that stood there; undefined where there is none. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    // The number of a deleted folder may be given to the next one, so the number alone does not tell.
    return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : undefined
  } catch {
    // A file stands on the way, or it is closed to us.
    return undefined
  }
}
