// Keeps the content of items that are in place as locked. If the kept copy was lost, or the files came with a
// clone, there would be nothing to compare a later state with.
import { AppError } from '../../base/index.ts'
import type { LockedItem } from '../../sources/index.ts'
import type { AcceptedFiles } from '../../user/index.ts'
import { contentToKeep } from './locked-items.ts'
import { digestFiles, presentFiles, type Target } from './target.ts'

export function keepPlaced(kept: AcceptedFiles, target: Target, items: readonly LockedItem[]): void {
  try {
    kept.keep(placedContent(target, items))
  } catch (thrown) {
    // If nothing can be written for this user, the space still matches its lock.
    if (!(thrown instanceof AppError && thrown.code === 'WRITE_FAILED')) throw thrown
  }
}

function* placedContent(target: Target, items: readonly LockedItem[]): Generator<Uint8Array> {
  for (const { name, digest } of items) {
    const files = presentFiles(target, name)
    if (files.size > 0 && digestFiles(name, files) === digest) yield* contentToKeep(name, files)
  }
}
