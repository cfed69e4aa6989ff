// Where the index of each space is kept: beside the items if that can be written, otherwise in the user's cache.
// A project that has no `.ai/` does not get one by being searched.
// A file is for one set of folders: processes with two different sets would delete each other's items. So the file in the user's
// folder is for what all projects see as the user space. A project in that folder shares it where its own folders are the same ones.
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { makeStateFolder } from '../files/index.ts'
import type { Space } from '../item/index.ts'
import { type ItemRoot, realPath } from '../scan/index.ts'
import { rootsOf } from './places.ts'
import type { Library } from './types.ts'

const FILE = 'index.sqlite'
const IN_MEMORY = ':memory:'

export function indexLocations(library: Library, projectPath: string): Map<Space, string> {
  const userSpace = realPath(library.userSpace)
  const ofUser = foldersOf(rootsOf(library, undefined), 'user')
  const roots = rootsOf(library, projectPath)
  const locate = (space: Space, base: string): string => {
    const folders = foldersOf(roots, space)
    const isOwnPlace = base !== userSpace || folders === ofUser
    return (isOwnPlace && besideItems(base)) || inCache(library.cacheRoot, folders)
  }
  return new Map<Space, string>([
    ['project', locate('project', projectPath)],
    ['user', locate('user', userSpace)],
    ['system', inCache(library.cacheRoot, foldersOf(roots, 'system'))],
  ])
}

/** The size of the index of a space, if it is beside the items; with the write-ahead log, which a server may not have merged yet. */
export function indexBytes(space: string): number {
  const path = join(space, '.ai', 'state', FILE)
  try {
    return [path, `${path}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  } catch {
    // There is a file in place of a folder, or the folder is not readable.
    return 0
  }
}

function foldersOf(roots: readonly ItemRoot[], space: Space): string {
  const own = roots.filter(root => root.space === space)
  return own.map(({ base, segments }) => join(base, ...segments)).join('\0')
}

function besideItems(space: string): string | undefined {
  if (!isWritableFolder(join(space, '.ai'))) return undefined
  try {
    const state = makeStateFolder(space)
    accessSync(state, constants.W_OK | constants.X_OK)
    return join(state, FILE)
  } catch {
    // Read-only, or there is a file or a link in its place.
    return undefined
  }
}

function inCache(cacheRoot: string, folders: string): string {
  const folder = join(cacheRoot, 'index', sha256Hex(folders).slice(0, 16))
  return makeFolder(folder) ? join(folder, FILE) : IN_MEMORY
}

function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return statSync(path).isDirectory()
  } catch {
    // Absent or read-only: the cache is used.
    return false
  }
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    // Read-only, or there is a file in its place: the index is kept in memory.
    return false
  }
}
