import { realpathSync } from 'node:fs'

/** The path without links. A path that does not exist is returned as it is. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
