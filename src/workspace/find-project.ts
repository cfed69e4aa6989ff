// The project of whoever stands in one of its folders: the nearest folder above that has `.ai/`, as git finds its repository.
// Whoever makes `.ai/` in a folder above ours must not become our project: it has to be our own, and nobody else may write there.
// The home directory is no project of the folders in it, because its `.ai/` is the user space; nor is another file system.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../base/index.ts'
import { type Environment, homeOf, userSpaceOf } from './places.ts'

export interface FoundProject {
  /** The folder itself where none is found. */
  readonly path: string
  /** What was found above it, and not taken. */
  readonly refused?: { readonly path: string; readonly reason: string }
}

/** `user` is whose folders are taken; undefined on Windows, where folders are protected by access lists that Node does not show. */
export function findProject(
  environment: Environment,
  directory: string,
  user: number | undefined = process.geteuid?.(),
): FoundProject {
  const start = statOf(directory)
  if (!start || hasItems(directory)) return { path: directory }
  const ends = ownPlaces(environment)
  for (let path = dirname(directory); path !== dirname(path); path = dirname(path)) {
    const folder = statOf(path)
    if (!folder || folder.dev !== start.dev || ends.some(end => isSame(end, folder))) break
    if (!hasItems(path)) continue
    const reason = refusalOf([folder, lstatSync(join(path, '.ai'))], user)
    return reason === undefined ? { path } : { path: directory, refused: { path, reason } }
  }
  return { path: directory }
}

function ownPlaces(environment: Environment): Stats[] {
  try {
    return [homeOf(environment), userSpaceOf(environment)].flatMap(path => statOf(path) ?? [])
  } catch (thrown) {
    // They cannot be told. Opening the library says so.
    if (thrown instanceof AppError) return []
    throw thrown
  }
}

function hasItems(path: string): boolean {
  try {
    return lstatSync(join(path, '.ai')).isDirectory()
  } catch {
    // Absent, or not ours to look at.
    return false
  }
}

function refusalOf(folders: readonly Stats[], user: number | undefined): string | undefined {
  if (user === undefined) return undefined
  if (folders.some(({ uid }) => uid !== user)) return 'it belongs to another user'
  return folders.some(({ mode }) => (mode & 0o002) !== 0) ? 'everybody can write there' : undefined
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // Not there, or not ours to look at.
    return undefined
  }
}
