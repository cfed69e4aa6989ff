// Renews the approvals of one key in a space with the key that follows it: rewrites its documents and its
// name in the lock.
import type { LockedSource } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'
import { changeSpace } from './apply-change.ts'
import { type Renewal, writeAnew } from './own-approvals.ts'
import { readLock, type Target } from './target.ts'

/** Returns the number of items. If interrupted, the next change to the space finishes it. */
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
