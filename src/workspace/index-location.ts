// Where the index of each space is kept: beside the items when that can be written, else in the user's cache.
// A project that has no `.ai/` does not get one by being searched.
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import type { Space } from '../item/index.ts'
import { makeStateFolder } from '../store/index.ts'
import type { Library } from './types.ts'

const FILE = 'index.sqlite'
const IN_MEMORY = ':memory:'

export function indexLocations(library: Library, projectPath: string): Map<Space, string> {
  return new Map<Space, string>([
    ['project', besideItems(projectPath, library.cacheRoot)],
    ['user', besideItems(library.userSpace, library.cacheRoot)],
    ['system', inCache(library.cacheRoot, library.systemRoot)],
  ])
}

/** How large the index of a space is, where it lies beside the items; with what a server that runs has not moved into it yet. */
export function indexBytes(space: string): number {
  const path = join(space, '.ai', 'state', FILE)
  try {
    return [path, `${path}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  } catch {
    // A file stands in the place of a folder, or it is closed to us.
    return 0
  }
}

function besideItems(space: string, cacheRoot: string): string {
  const items = join(space, '.ai')
  if (!isWritableFolder(items)) return inCache(cacheRoot, items)
  try {
    const state = makeStateFolder(space)
    accessSync(state, constants.W_OK | constants.X_OK)
    return join(state, FILE)
  } catch {
    // Read-only, or a file or a link stands in its place.
    return inCache(cacheRoot, items)
  }
}

function inCache(cacheRoot: string, space: string): string {
  const folder = join(cacheRoot, 'index', sha256Hex(space).slice(0, 16))
  return makeFolder(folder) ? join(folder, FILE) : IN_MEMORY
}

function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return statSync(path).isDirectory()
  } catch {
    // Absent or read-only: the cache serves.
    return false
  }
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    // Read-only, or a file stands in its place: the caller has somewhere else to go.
    return false
  }
}
