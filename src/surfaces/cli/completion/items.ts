// Completes names of items. Ids have a grammar without blanks, quotes and wildcards, so no shell can take one
// for anything but a word. Names of any other form are filtered out here once more, because a shell reads the
// answer.

import { ITEM_TYPES } from '../../../item/index.ts'
import { openLibrary } from '../../../workspace/index.ts'
import type { ProjectSettings } from '../project-finder.ts'

interface Named {
  readonly item_type: string
  readonly item_id: string
}

interface Settings extends Pick<ProjectSettings, 'findProject'> {
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * With more names than this a shell would ask whether to show them, so only the next segment is completed.
 */
const MOST_NAMES = 100
const NAME = /^(?:[a-z]+:)?[A-Za-z0-9_][A-Za-z0-9_./-]*$/

/** `rye completion items WORD`, which the scripts call while someone types. */
export async function findItems(typed: string, { environment, findProject }: Settings): Promise<string[]> {
  const library = openLibrary({ environment })
  try {
    const { items } = (await library.open(findProject().path)).list(ITEM_TYPES)
    return completeItem(
      items.map(({ entry }) => ({ item_type: entry.type, item_id: entry.id })),
      typed,
    )
  } finally {
    await library.close()
  }
}

/** Returns `ID`, or `TYPE:ID` if a type was typed; `some/folder/` when there are many below it. */
export function completeItem(items: readonly Named[], typed: string): string[] {
  const names = items.map(({ item_type, item_id }) =>
    typed.includes(':') ? `${item_type}:${item_id}` : item_id,
  )
  const found = [...new Set(names)].filter(name => name.startsWith(typed) && NAME.test(name)).sort()
  return found.length <= MOST_NAMES
    ? found
    : [...new Set(found.map(name => upToNextSlash(name, typed.length)))]
}

function upToNextSlash(name: string, from: number): string {
  const slash = name.indexOf('/', from)
  return slash === -1 ? name : name.slice(0, slash + 1)
}
