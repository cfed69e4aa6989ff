// Whether the files of a large library have changed since they were indexed, asked of `find` in a process of its own that is
// started before anything else. Mostly nothing has changed, and then no file is looked at any further.
import { AppError } from '../base/index.ts'
import { OWN_SPACES } from '../item/index.ts'
import { stampRoots } from '../scan/index.ts'
import { indexBytes } from './index-location.ts'
import { type Environment, rootsOf, type SpacePaths, spacePathsOf } from './places.ts'
import type { ChangeCheck, Library, SpaceStamps } from './types.ts'

/** The index of about a hundred items: below that a walk takes no longer than starting a process. */
const LARGE_INDEX_BYTES = 1_000_000

/** Starts stamping the spaces of a project; undefined where a walk is as quick, or `find` is missing. */
export function stampSpaces(
  library: SpacePaths & Pick<Library, 'changeCheck'>,
  projectPath: string,
  { minIndexBytes = LARGE_INDEX_BYTES }: { readonly minIndexBytes?: number } = {},
): Promise<SpaceStamps> | undefined {
  if (library.changeCheck?.projectPath === projectPath) return library.changeCheck.stamps
  const isLarge = indexBytes(library, projectPath) >= minIndexBytes
  return isLarge ? runFind(library, projectPath) : undefined
}

/** For the start of a program that will search a project, before there is a library. */
export function startChangeCheck(environment: Environment, projectPath: string): ChangeCheck | undefined {
  try {
    const stamps = stampSpaces(spacePathsOf(environment), projectPath)
    return stamps && { projectPath, stamps }
  } catch (thrown) {
    // The user space cannot be told. Opening the library says so.
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

function runFind(paths: SpacePaths, projectPath: string): Promise<SpaceStamps> | undefined {
  const roots = rootsOf(paths, projectPath).filter(root => root.type !== 'config')
  const stamping = stampRoots(OWN_SPACES.map(space => roots.filter(root => root.space === space)))
  return stamping?.then(stamps => new Map(stamps?.map((stamp, index) => [OWN_SPACES[index]!, stamp])))
}
