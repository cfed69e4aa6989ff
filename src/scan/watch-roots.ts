// Whether anything below the item roots may have changed since the last check. There is one watch per folder:
// the kernel queues an event before the writer's call returns, so a change made before a request is seen by
// that request. A watch belongs to a folder, not to its path: when another folder takes its path, as after
// `git checkout`, a new watch is made.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import type { ItemRoot } from './item-roots.ts'

export interface RootWatch {
  /** Whether anything may have changed since the last `rearm`. True if a folder could not be watched. */
  isDirty(): boolean
  /**
   * The paths in watched folders where something happened since the last `rearm`: files, or new folders.
   * Undefined when more than that may have changed.
   */
  touched(): readonly string[] | undefined
  /** Watches what is there now, and counts as clean from here on. Call it before reading the files. */
  rearm(roots: readonly ItemRoot[]): void
  close(): void
}

/** More folders than this are cheaper to walk than to watch. */
const MAX_FOLDERS = 20_000
/** Beyond this many, single paths are not recorded. */
const MAX_TOUCHED = 200

/** The names that matter in a folder; null for all. Above a root only the way to it matters. */
type Wanted = ReadonlySet<string> | null

interface FolderWatch {
  readonly watcher: FSWatcher
  /** Taken before the watch is made: a folder replaced in between looks replaced, and is watched again. */
  readonly identity: string
  wanted: Wanted
  /** The folder itself was moved or deleted, or its watch failed. */
  isOver: boolean
}

export function watchRoots(): RootWatch {
  const watches = new FolderWatches()
  let bases = new Map<string, string | undefined>()
  // The folders above a base are not watched, so it may appear, go or be replaced without an event.
  const areSame = () => watches.areComplete && [...bases].every(([base, known]) => identityOf(base) === known)
  return {
    isDirty: () => watches.isDirty || !areSame(),
    touched: () => (watches.touched && areSame() ? [...watches.touched] : undefined),
    rearm(roots) {
      bases = new Map(roots.map(({ base }) => [base, identityOf(base)]))
      watches.rearm(foldersToWatch(roots))
    },
    close: () => watches.close(),
  }
}

/** One watch for each of some folders. */
class FolderWatches {
  readonly #watches = new Map<string, FolderWatch>()
  isDirty = true
  /** Undefined when it is unknown what else has changed. */
  touched: Set<string> | undefined
  /** False when a folder could not be watched. */
  areComplete = true

  /** Watches exactly these folders, and counts as clean unless something changed in between. */
  rearm(folders: ReadonlyMap<string, Wanted>): void {
    this.isDirty = false
    this.touched = new Set()
    this.areComplete = folders.size <= MAX_FOLDERS
    for (const folder of this.#watches.keys())
      if (!this.areComplete || !folders.has(folder)) this.#drop(folder)
    if (!this.areComplete) return
    const added = [...folders].filter(([folder, wanted]) => this.#ensure(folder, wanted))
    // A folder made between listing and watching its parent has no watch, and gave no event.
    if (added.some(([folder, wanted]) => subfolders(folder, wanted).some(path => !folders.has(path))))
      this.#change()
  }

  close(): void {
    for (const folder of this.#watches.keys()) this.#drop(folder)
  }

  /** Makes sure that a folder is watched. True when it was not watched before. */
  #ensure(folder: string, wanted: Wanted): boolean {
    const identity = identityOf(folder)
    const known = this.#watches.get(folder)
    if (known && !known.isOver && known.identity === identity) {
      known.wanted = wanted
      return false
    }
    this.#drop(folder)
    if (identity === undefined) this.areComplete = false
    else this.#add(folder, identity, wanted)
    return true
  }

  #add(folder: string, identity: string, wanted: Wanted): void {
    try {
      const ownName = basename(folder)
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // A folder that is moved or deleted is reported under its own name.
        if (event === 'rename' && name === ownName) end()
        else if (name === null || made.wanted?.has(name)) this.#change()
        else if (made.wanted === null) this.#change(`${folder}/${name}`)
      })
      const made: FolderWatch = { watcher, identity, wanted, isOver: false }
      const end = () => {
        made.isOver = true
        this.#change()
      }
      watcher.on('error', end)
      this.#watches.set(folder, made)
    } catch {
      // Out of watches, or the folder went away.
      this.areComplete = false
    }
  }

  #change(path?: string): void {
    this.isDirty = true
    if (path === undefined || (this.touched?.size ?? 0) >= MAX_TOUCHED) this.touched = undefined
    else this.touched?.add(path)
  }

  #drop(folder: string): void {
    this.#watches.get(folder)?.watcher.close()
    this.#watches.delete(folder)
  }
}

/** Folder → names that matter in it. Folders come before those below them. */
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
  while (pending.length > 0 && found.length <= MAX_FOLDERS) {
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
    // Absent or unreadable: nothing to watch, and its parent is watched in case it appears.
    return undefined
  }
}

/** Distinguishes the folder at a path from any earlier one there; undefined when there is none. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    // A deleted folder's inode may be reused, so the inode alone is not enough.
    return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : undefined
  } catch {
    // A parent is a file, or the folder is not readable.
    return undefined
  }
}
