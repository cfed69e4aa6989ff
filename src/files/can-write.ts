// Whether something could be written, before it is tried: for what is said about places, not for what is done with them.
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Also where the folder would have to be made. */
export function canWrite(path: string): boolean {
  try {
    accessSync(existingFolder(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The path, or the innermost folder on the way to it that exists. */
export function existingFolder(path: string): string {
  const above = dirname(path)
  return above === path || existsSync(path) ? path : existingFolder(above)
}
