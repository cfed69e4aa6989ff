// Whether the files of a large library have changed since they were indexed, asked of `find` in a process of its own that is
// started before anything else. Mostly nothing has changed, and then no file is looked at any further.
import { AppError } from '../base/index.ts'
import { OWN_SPACES } from '../item/index.ts'
import { findRoots } from '../scan/index.ts'
import { indexBytes } from './index-location.ts'
import { type Environment, rootsOf, type SpacePaths, spacePathsOf } from './places.ts'
import type { ChangeCheck, FoundSpaces, Library } from './types.ts'

/** The index of about a hundred items: below that a walk takes no longer than starting a process. */
const LARGE_INDEX_BYTES = 1_000_000

/** Starts looking at the spaces of a project; undefined where a walk is as quick, or `find` is missing. */
export function findSpaces(
  library: SpacePaths & Pick<Library, 'changeCheck'>,
  projectPath: string,
  { minIndexBytes = LARGE_INDEX_BYTES }: { readonly minIndexBytes?: number } = {},
): Promise<FoundSpaces> | undefined {
  if (library.changeCheck?.projectPath === projectPath) return library.changeCheck.found
  return lookAnew(library, projectPath, { minIndexBytes })
}

/** The same for a process that goes on: what was found when it started says nothing about now. */
export function lookAnew(
  paths: SpacePaths,
  projectPath: string,
  { minIndexBytes = LARGE_INDEX_BYTES }: { readonly minIndexBytes?: number } = {},
): Promise<FoundSpaces> | undefined {
  return indexBytes(paths, projectPath) >= minIndexBytes ? runFind(paths, projectPath) : undefined
}

/** For the start of a program that will search a project, before there is a library. */
export function startChangeCheck(environment: Environment, projectPath: string): ChangeCheck | undefined {
  try {
    const found = findSpaces(spacePathsOf(environment), projectPath)
    return found && { projectPath, found }
  } catch (thrown) {
    // The user space cannot be told. Opening the library says so.
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

function runFind(paths: SpacePaths, projectPath: string): Promise<FoundSpaces> | undefined {
  const roots = rootsOf(paths, projectPath).filter(root => root.type !== 'config')
  const finding = findRoots(OWN_SPACES.map(space => roots.filter(root => root.space === space)))
  return finding?.then(found => new Map(found?.map((one, index) => [OWN_SPACES[index]!, one])))
}
