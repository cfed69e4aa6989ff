// The stamp of a walk: unchanged while no file below the folder is written, added, removed or renamed.
import { isSettled, stampFiles } from '../files/index.ts'
import type { Walk } from './walk.ts'

/** Undefined while a file is not settled. Content that relies on a stamp must be read after its walk. */
export function stampWalk(root: string, { files, skipped, startedAt }: Walk): string | undefined {
  if (!files.every(file => isSettled(file, startedAt))) return undefined
  return stampFiles([root, skipped], files)
}
