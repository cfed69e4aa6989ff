// Which sources the project and the user have taken items from, as their locks say. Nobody is asked: whether there is something newer is
// a question that a person asks, since it goes to the network.
import { join } from 'node:path'
import { readFile } from '../../files/index.ts'
import { LOCK_BYTES, LOCK_FILE, parseLock } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { LockedSources } from './summary-types.ts'

/** Throws `ITEM_MALFORMED`. */
export function readLockedSources({ userSpace }: Library, projectPath: string): LockedSources {
  const spaces = [
    ['project', projectPath],
    ['user', userSpace],
  ] as const
  return {
    sources: spaces.flatMap(([space, base]) => {
      const read = readFile(join(base, '.ai', LOCK_FILE), { maxBytes: LOCK_BYTES, root: base })
      if (!read) return []
      return parseLock(read.bytes.toString('utf8')).sources.map(({ source, ref, resolved, items }) => ({
        ...{ space, source, ...(ref !== undefined && { ref }), resolved },
        items: items.length,
      }))
    }),
  }
}
