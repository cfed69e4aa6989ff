// Whether a path could be written, without trying. Only for reports; no write may rely on it.
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** True also when the folder would have to be made first. */
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
