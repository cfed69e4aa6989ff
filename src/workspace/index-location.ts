// Where the index of each space is kept: in the user's cache, under a name derived from the folders that it
// covers. Each file is for one set of folders, whichever process, project or space asks. Nothing inside a
// project is opened as an index: whoever made the project could have put a database there that describes its
// items falsely, or that makes queries run without end.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, sha256Hex, systemErrorCode } from '../base/index.ts'
import { atomicWrite, makeFolders, makePrivateFolder, readFile } from '../files/index.ts'
import { OWN_SPACES, type Space } from '../item/index.ts'
import { type ItemRoot, realPath } from '../scan/index.ts'
import { cacheRootOf, homeOf, isInside, rootsOf, type SpacePaths } from './places.ts'

const FILE = 'index.sqlite'
const IN_MEMORY = ':memory:'
/** Beside the built program. */
const PREBUILT = 'system-index.sqlite'
/** Beside the index: the folders it covers, one per line. */
const NOTE = 'folders.txt'
const NOTE_BYTES = 64 * 1024
/** How long the index of missing folders is kept: they may be on a disk that is mounted again. */
const UNUSED_MS = 30 * 24 * 3_600_000

/** The path of each space's index, whose folder is made. In memory where that is impossible. */
export function indexLocations(paths: SpacePaths, projectPath: string): Map<Space, string> {
  const roots = rootsOf(paths, projectPath)
  const cacheRoot = cacheRootOf(paths.environment)
  // A cache inside a project may have come with it, unless the user's home directory lies there too.
  const isForeign =
    isInside(realPath(cacheRoot), projectPath) && !isInside(realPath(homeOf(paths.environment)), projectPath)
  return new Map(
    OWN_SPACES.map(space => {
      const folders = foldersOf(roots, space)
      const path = pathOf(cacheRoot, folders)
      return [space, !isForeign && makePlace(path, folders) ? path : IN_MEMORY]
    }),
  )
}

/** The system space's index, built with the program; running from source there is none. */
export function prebuiltIndexes(): Map<Space, string> {
  return new Map([['system', join(import.meta.filename, '..', PREBUILT)]])
}

/**
 * The larger of the project and user indexes, in bytes, with the write-ahead log that may not be merged yet.
 */
export function indexBytes(paths: SpacePaths, projectPath: string): number {
  const roots = rootsOf(paths, projectPath)
  const cacheRoot = cacheRootOf(paths.environment)
  return Math.max(
    ...(['project', 'user'] as const).map(space => sizeOf(pathOf(cacheRoot, foldersOf(roots, space)))),
  )
}

function sizeOf(path: string): number {
  try {
    return [path, `${path}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  } catch {
    // A file is in place of a folder, or the folder is not readable.
    return 0
  }
}

function foldersOf(roots: readonly ItemRoot[], space: Space): string[] {
  return roots.filter(root => root.space === space).map(({ base, segments }) => join(base, ...segments))
}

function pathOf(cacheRoot: string, folders: readonly string[]): string {
  return join(cacheRoot, 'index', sha256Hex(folders.join('\0')).slice(0, 32), FILE)
}

/** Makes the folder of an index. False when that is impossible. */
function makePlace(path: string, folders: readonly string[]): boolean {
  const folder = dirname(path)
  const root = dirname(dirname(folder))
  try {
    makeFolders(root, 0o700)
    if (!makePrivateFolder(folder, root)) return true
    atomicWrite(join(folder, NOTE), folders.map(one => `${one}\n`).join(''), { root, mode: 0o600 })
    removeUnused(dirname(folder))
    return true
  } catch (thrown) {
    // Read-only or full, or something else is in its place.
    if (thrown instanceof AppError || systemErrorCode(thrown) !== undefined) return false
    throw thrown
  }
}

/** Removes long unused indexes whose folders are all gone. */
function removeUnused(indexes: string): void {
  for (const name of readdirSync(indexes)) {
    const folder = join(indexes, name)
    const note = readFile(join(folder, NOTE), { maxBytes: NOTE_BYTES })
    const folders = note?.bytes.toString('utf8').trimEnd().split('\n') ?? []
    // Checks the folders above too: a project that has no items yet still exists.
    if (folders.some(one => existsSync(one) || existsSync(dirname(dirname(one))))) continue
    const used = statSync(join(folder, FILE), { throwIfNoEntry: false })?.mtimeMs ?? note?.stat.mtimeMs
    if (used !== undefined && Date.now() - used > UNUSED_MS) rmSync(folder, { recursive: true, force: true })
  }
}
