// What one key has accepted in a space becomes accepted by the key that follows it: its documents, and its name in the lock.
import type { LockedSource } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'
import { changeSpace } from './apply-change.ts'
import { type Renewal, writeAnew } from './own-approvals.ts'
import { readLock, type Target } from './target.ts'

/** How many items that were. Interrupted, it is finished by the next change to the space. */
export function renewApprovals(library: Library, target: Target, renewal: Renewal): Promise<number> {
  return changeSpace(library, target, async apply => {
    const approvals = await writeAnew(library, target, renewal)
    if (approvals.size === 0) return 0
    const { by, next } = renewal
    const rename = ({ accepted, ...item }: LockedSource['items'][number]) => ({
      ...item,
      ...(accepted !== undefined && { accepted: accepted === by.fingerprint ? next.fingerprint : accepted }),
    })
    const sources = readLock(target).sources.map(source => ({ ...source, items: source.items.map(rename) }))
    apply({ files: new Map(), removed: [], approvals, lock: { sources } })
    return sources.flatMap(({ items }) => items).filter(({ accepted }) => accepted === next.fingerprint)
      .length
  })
}
