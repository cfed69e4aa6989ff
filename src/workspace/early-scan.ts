// A first look at the files of a large library, from afar and in a process of its own, begun before anything else is read. Most
// calls find all as it was, and need no more than that.
import { SPACES } from '../item/index.ts'
import { glanceAtRoots } from '../scan/index.ts'
import { indexBytes } from './index-location.ts'
import { type Environment, rootsOf, systemRootOf, userSpaceOf, type Where } from './places.ts'
import type { EarlyLook, Glances, Library } from './types.ts'

/** The index of about a hundred items: below that a walk takes no longer than to start a process. */
const LARGE_INDEX = 1_000_000

/** Undefined where a walk is as quick, or the only way. `least` says from which size of an index on it is not. */
export function lookAhead(
  library: Where & Pick<Library, 'early'>,
  projectPath: string,
  { least = LARGE_INDEX }: { readonly least?: number } = {},
): Promise<Glances> | undefined {
  if (library.early?.projectPath === projectPath) return library.early.glances
  const isLarge = [projectPath, library.userSpace].some(space => indexBytes(space) >= least)
  return isLarge ? look(library, projectPath) : undefined
}

/** For the start of a program that will search a project. */
export function lookEarly(environment: Environment, projectPath: string): EarlyLook | undefined {
  const where = { environment, userSpace: userSpaceOf(environment), systemRoot: systemRootOf() }
  const glances = lookAhead(where, projectPath)
  return glances && { projectPath, glances }
}

function look(where: Where, projectPath: string): Promise<Glances> | undefined {
  const roots = rootsOf(where, projectPath).filter(root => root.type !== 'config')
  const looking = glanceAtRoots(SPACES.map(space => roots.filter(root => root.space === space)))
  return looking?.then(seen => new Map(seen?.map((digest, index) => [SPACES[index]!, digest])))
}
