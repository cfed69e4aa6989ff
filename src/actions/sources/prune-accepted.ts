// Accepted content is kept for as long as a lock names it. Projects that were moved are ignored: they fetch
// what they lack again.
import { AppError } from '../../base/index.ts'
import type { LockedItem } from '../../sources/index.ts'
import { parseSkillManifest } from '../../trust/approvals/index.ts'
import { type AcceptedFiles, acceptedFiles } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import { readLockIn } from './space-lock.ts'

export function pruneAccepted({ userSpace, states }: Library): void {
  const kept = acceptedFiles(userSpace)
  kept.prune(() => {
    const items = [userSpace, ...states.list()].flatMap(lockedIn)
    return new Set(items.flatMap(item => digestsOf(kept, item)))
  })
}

function lockedIn(base: string): LockedItem[] {
  try {
    return readLockIn(base).sources.flatMap(({ items }) => [...items])
  } catch (thrown) {
    if (thrown instanceof AppError) return []
    throw thrown
  }
}

/** The digest of an item, and of the files listed for a skill. */
function digestsOf(kept: AcceptedFiles, { name, digest }: LockedItem): string[] {
  const list = name.startsWith('skill:') ? kept.find(digest) : undefined
  const files = list && parseSkillManifest(Buffer.from(list).toString('utf8'))
  return [digest, ...(files && typeof files !== 'string' ? files.values() : [])]
}
