// A first look at the files of a large library, from afar and in a process of its own, begun before anything else is read. Most
// calls find all as it was, and need no more than that.
import { SPACES, type Space } from '../item/index.ts'
import { glanceAtRoots, type ItemRoot, itemRoots } from '../scan/index.ts'
import { indexBytes } from './index-location.ts'
import { homeOf } from './places.ts'
import type { Library } from './types.ts'

/** What each space looks like from afar; empty when the system could not tell. */
export type Glances = ReadonlyMap<Space, string>

/** The index of about two thousand items: below that a walk takes no longer than to start a process. */
const LARGE_INDEX = 10_000_000

/** Undefined where a walk is as quick, or the only way. `least` says from which size of an index on it is not. */
export function lookAhead(
  library: Library,
  projectPath: string,
  { least = LARGE_INDEX }: { readonly least?: number } = {},
): Promise<Glances> | undefined {
  const isLarge = [projectPath, library.userSpace].some(space => indexBytes(space) >= least)
  return isLarge ? look(library, projectPath) : undefined
}

/** All folders of items that a project sees, or those that projects share. */
export function rootsOf(
  { environment, userSpace, systemRoot }: Pick<Library, 'environment' | 'userSpace' | 'systemRoot'>,
  projectPath: string | undefined,
): ItemRoot[] {
  return itemRoots({ projectPath, userSpace, home: homeOf(environment), systemRoot })
}

function look(library: Library, projectPath: string): Promise<Glances> | undefined {
  const roots = rootsOf(library, projectPath).filter(root => root.type !== 'config')
  const looking = glanceAtRoots(SPACES.map(space => roots.filter(root => root.space === space)))
  return looking?.then(seen => new Map(seen?.map((digest, index) => [SPACES[index]!, digest])))
}
