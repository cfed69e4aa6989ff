// Finds the project of somebody who works in one of its folders: the nearest folder above with an `.ai/`, as
// git finds its repository. An `.ai/` that another user made above us must not become our project, so the
// folder and its `.ai/` must belong to us and not be writable by everybody. The search ends at the home
// directory, since its `.ai/` is the user space, and at the border of a file system.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../base/index.ts'
import { type Environment, homeOf, userSpaceOf } from './places.ts'

export interface FoundProject {
  /** The given folder itself when no project is found. */
  readonly path: string
  /** A project that was found above, but not accepted. */
  readonly refused?: { readonly path: string; readonly reason: string }
}

/** `user` is the required owner; undefined on Windows, whose access lists Node does not show. */
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
    // These folders are unknown; opening the library reports that.
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
