// Tells whether anything below the item roots may have changed since it was last asked. One watch per folder: the
// kernel queues an event before the writer's call returns, so a change made before a request is seen by that request.
import { type FSWatcher, readdirSync, watch } from 'node:fs'
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
const SKIPPED_NAMES = new Set(['node_modules', '.git', '__pycache__', '.venv'])

export function watchRoots(onChange: () => void = () => {}): RootWatch {
  const watches = new Map<string, FSWatcher>()
  let dirty = true
  let reliable = true

  const touch = () => {
    if (dirty) return
    dirty = true
    onChange()
  }
  const drop = (folder: string) => {
    watches.get(folder)?.close()
    watches.delete(folder)
  }
  const add = (folder: string, wanted: ReadonlySet<string> | null) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (wanted === null || name === null || wanted.has(name)) touch()
      })
      watcher.on('error', () => {
        drop(folder)
        touch()
      })
      watches.set(folder, watcher)
    } catch {
      // Out of watches, or the folder went away: without a watch we cannot vouch for it.
      reliable = false
    }
  }

  return {
    get reliable() {
      return reliable
    },
    isDirty: () => dirty || !reliable,
    rearm(roots) {
      reliable = true
      dirty = false
      const folders = foldersToWatch(roots)
      if (folders.size > MOST_FOLDERS) reliable = false
      for (const folder of watches.keys()) if (!folders.has(folder)) drop(folder)
      for (const [folder, wanted] of folders) if (reliable && !watches.has(folder)) add(folder, wanted)
    },
    close() {
      for (const folder of watches.keys()) drop(folder)
    },
  }
}

/** Folder → names that matter in it, or null for all. Above a root only the way down to it matters. */
function foldersToWatch(roots: readonly ItemRoot[]): Map<string, Set<string> | null> {
  const folders = new Map<string, Set<string> | null>()
  for (const root of roots) {
    let folder = root.base
    for (const segment of root.segments) {
      const names = folders.get(folder)
      if (names === undefined) folders.set(folder, new Set([segment]))
      else names?.add(segment)
      folder = `${folder}/${segment}`
    }
    for (const below of foldersBelow(folder)) folders.set(below, null)
  }
  for (const folder of folders.keys()) if (!isFolder(folder)) folders.delete(folder)
  return folders
}

function foldersBelow(root: string): string[] {
  const found: string[] = []
  const pending = [root]
  while (pending.length > 0 && found.length <= MOST_FOLDERS) {
    const folder = pending.pop()!
    const entries = list(folder)
    if (entries === undefined) continue
    found.push(folder)
    for (const entry of entries) {
      if (entry.isDirectory() && !SKIPPED_NAMES.has(entry.name)) pending.push(`${folder}/${entry.name}`)
    }
  }
  return found
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Absent or unreadable: there is nothing to watch, and its parent is watched for its coming.
    return undefined
  }
}

function isFolder(path: string): boolean {
  return list(path) !== undefined
}
