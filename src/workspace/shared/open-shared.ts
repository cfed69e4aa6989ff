// The shared space of a project, by the user's settings: one catalogue for all projects, or one per project.
// A project cannot name a catalogue itself: the user's machine would then talk to any address it chose.
import { openItemsTable } from '../../catalogue/index.ts'
import type { UserPolicy } from '../../user/index.ts'
import type { Library } from '../types.ts'
import { SharedSpace } from './shared-space.ts'

export async function sharedSpaceOf(
  library: Library,
  { catalogue, project_catalogues }: Pick<UserPolicy, 'catalogue' | 'project_catalogues'>,
  projectPath: string | undefined,
): Promise<SharedSpace | undefined> {
  const own = projectPath === undefined ? undefined : project_catalogues?.get(projectPath)
  const uri = own ?? catalogue
  if (uri === undefined || uri === 'off') return undefined
  const { cacheRoot, now } = library
  const kept = await library.keep(`catalogue:${uri}`, () => {
    const table = openItemsTable({ uri })
    return { space: new SharedSpace({ uri, cacheRoot, table, now }), close: () => table.close() }
  })
  return kept.space
}
