// Which sources the project and the user have taken items from, according to their locks. Nothing is
// requested from the sources: checking for newer versions needs the network, so only a person starts it.
import { join } from 'node:path'
import { readFile } from '../../files/index.ts'
import { LOCK_BYTES, LOCK_FILE, parseLock } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { LockedSources } from './summary-types.ts'

/** The spaces that can take items from sources, each with the path of its lock. */
export function lockedSpaces({ userSpace }: Library, projectPath: string) {
  const spaces = [
    ['project', projectPath],
    ['user', userSpace],
  ] as const
  return spaces.map(([space, base]) => ({ space, base, lock: join(base, '.ai', LOCK_FILE) }))
}

/** Throws `ITEM_MALFORMED`. */
export function readLockedSources(library: Library, projectPath: string): LockedSources {
  return {
    sources: lockedSpaces(library, projectPath).flatMap(({ space, base, lock }) => {
      const read = readFile(lock, { maxBytes: LOCK_BYTES, root: base })
      if (!read) return []
      return parseLock(read.bytes.toString('utf8')).sources.map(({ source, ref, resolved, items }) => ({
        ...{ space, source, ...(ref !== undefined && { ref }), resolved },
        items: items.length,
      }))
    }),
  }
}
