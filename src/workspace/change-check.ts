// Whether the files of a large library changed since they were indexed. `find` checks this in its own
// process, started before anything else. Usually nothing has changed, and then no file needs another look.
import { AppError } from '../base/index.ts'
import { OWN_SPACES } from '../item/index.ts'
import { findRoots } from '../scan/index.ts'
import { indexBytes } from './index-location.ts'
import { type Environment, rootsOf, type SpacePaths, spacePathsOf } from './places.ts'
import type { ChangeCheck, FoundSpaces, Library } from './types.ts'

/** The index size of about a hundred items. Below that, a walk takes no longer than starting a process. */
const LARGE_INDEX_BYTES = 1_000_000

/** Starts `find` on the spaces of a project. Undefined when a walk is as quick, or `find` is missing. */
export function findSpaces(
  library: SpacePaths & Pick<Library, 'changeCheck'>,
  projectPath: string,
  { minIndexBytes = LARGE_INDEX_BYTES }: { readonly minIndexBytes?: number } = {},
): Promise<FoundSpaces> | undefined {
  if (library.changeCheck?.projectPath === projectPath) return library.changeCheck.found
  return lookAnew(library, projectPath, { minIndexBytes })
}

/**
 * Like `findSpaces`, but never uses the result from program start, which says nothing about now. For a
 * process that keeps running.
 */
export function lookAnew(
  paths: SpacePaths,
  projectPath: string,
  { minIndexBytes = LARGE_INDEX_BYTES }: { readonly minIndexBytes?: number } = {},
): Promise<FoundSpaces> | undefined {
  return indexBytes(paths, projectPath) >= minIndexBytes ? runFind(paths, projectPath) : undefined
}

/** Called at program start, before there is a library, by a program that will search a project. */
export function startChangeCheck(environment: Environment, projectPath: string): ChangeCheck | undefined {
  try {
    const found = findSpaces(spacePathsOf(environment), projectPath)
    return found && { projectPath, found }
  } catch (thrown) {
    // The user space is unknown; opening the library reports that.
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

function runFind(paths: SpacePaths, projectPath: string): Promise<FoundSpaces> | undefined {
  const roots = rootsOf(paths, projectPath).filter(root => root.type !== 'config')
  const finding = findRoots(OWN_SPACES.map(space => roots.filter(root => root.space === space)))
  return finding?.then(found => new Map(found?.map((one, index) => [OWN_SPACES[index]!, one])))
}
