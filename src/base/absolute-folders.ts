import { delimiter, isAbsolute } from 'node:path'

/**
 * The absolute folders of a `PATH`. Entries such as `.`, `node_modules/.bin` and the empty one are dropped:
 * they mean a different folder in each current directory.
 */
export function absoluteFolders(path: string): string[] {
  return path.split(delimiter).filter(folder => isAbsolute(folder))
}
