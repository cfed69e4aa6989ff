// Writes the documents by which the user accepts items of others: a new one for what was accepted now, and
// earlier ones again without items that are gone or replaced. Documents of other people are left to them.
import { approve } from '../../trust/approvals/index.ts'
import type { SigningKey } from '../../trust/index.ts'
import { approvalFile, findSigningKey, getSigningKey, listApprovals } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { SpaceChange } from './apply-change.ts'
import type { IncomingItem } from './incoming.ts'
import type { Target } from './target.ts'

type Approvals = SpaceChange['approvals']

export interface TakenItems {
  readonly source: string
  readonly resolved: string
  readonly items: readonly IncomingItem[]
  /** The items that a person has accepted now. */
  readonly reviewed: readonly IncomingItem[]
}

export interface WrittenApprovals {
  readonly approvals: Approvals
  /** Fingerprint of the key that accepted each item, by name. */
  readonly accepted: ReadonlyMap<string, string>
  /** The time in the document. */
  readonly at: string
}

/**
 * Writes one document for all items that a person accepted, and one for each trusted key that signed items
 * under other names.
 */
export async function approveTaken(
  library: Library,
  target: Target,
  { source, resolved, items, reviewed }: TakenItems,
): Promise<WrittenApprovals> {
  const fresh = items.filter(needsApproval)
  const before = items.filter(item => item.verdict.approved !== undefined && !needsApproval(item))
  const accepted = new Map(before.map(({ name, verdict }) => [name, verdict.signer!]))
  const at = `${library.now().toISOString().slice(0, 19)}Z`
  const digests = new Map(items.map(({ name, digest }) => [name, digest]))
  const replaced = await withoutApprovals(library, target, (name, digest) => {
    const taken = digests.get(name)
    return taken !== undefined && taken !== digest
  })
  if (fresh.length === 0) return { approvals: replaced, accepted, at }
  const key = getSigningKey(library.userSpace)
  for (const { name } of fresh) accepted.set(name, key.fingerprint)
  const people = new Set(reviewed)
  const sakeOf = (item: IncomingItem) => (people.has(item) ? '' : (item.ownVerdict.signer ?? ''))
  const written = [...new Set(fresh.map(sakeOf))].map(trusting => {
    const group = fresh.filter(item => sakeOf(item) === trusting)
    const named = new Map(group.map(({ name, digest }) => [name, digest]))
    const sake = trusting === '' ? {} : { trusting }
    return approvalFile(approve({ at, source, revision: resolved, ...sake, items: named }, key))
  })
  const approvals = new Map([...replaced, ...written.map(({ name, text }) => [name, text] as const)])
  return { approvals, accepted, at }
}

/** An item that goes back to an older state is accepted again, so that its approval is the newest. */
function needsApproval({ verdict, olderThan }: IncomingItem): boolean {
  return verdict.status !== 'verified' || (olderThan !== undefined && verdict.approved !== undefined)
}

/** Rewrites the user's own documents without these items. */
export async function withoutApprovals(
  library: Library,
  target: Target,
  isGone: (name: string, digest: string) => boolean,
): Promise<Approvals> {
  const key = findSigningKey(library.userSpace)
  if (key === undefined) return new Map()
  return writeAnew(library, target, { by: key, next: key, isGone })
}

export interface Renewal {
  readonly by: SigningKey
  readonly next: SigningKey
  /** Items to leave out. Default: none. */
  isGone?(name: string, digest: string): boolean
}

/** Keeps the times, because nobody has looked at the items again. */
export async function writeAnew(
  library: Library,
  { base }: Target,
  { by, next, isGone = () => false }: Renewal,
): Promise<Map<string, string | null>> {
  const { trust } = await library.openShared()
  const changed = new Map<string, string | null>()
  for (const { file, document } of listApprovals(base, trust).documents) {
    const { signer, signature, items: all, ...shared } = document
    if (signer !== by.fingerprint) continue
    const items = new Map([...all].filter(([name, digest]) => !isGone(name, digest)))
    if (by === next && items.size === all.size) continue
    changed.set(file, null)
    if (items.size === 0) continue
    const { name, text } = approvalFile(approve({ ...shared, items }, next))
    changed.set(name, text)
  }
  return changed
}
