// What a source brings, compared with what is locked and what is in the space. Only facts, before anybody
// decides.
import { type Lock, type LockedItem, type LockedSource, printAddress } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'
import { type Considered, type ConsiderRequest, considerItems } from './consider-items.ts'
import { withFormerSigners } from './former-signers.ts'
import { type IncomingItem, sourceState } from './incoming.ts'
import { presentDigest, readLock } from './target.ts'

export interface ArrivedItems extends Considered {
  /** The address in the form of the lock. */
  readonly source: string
  readonly resolved: string
  readonly lock: Lock
  /** The lock's entry for this source. */
  readonly entry: LockedSource | undefined
  /** The locked items of this source, by name. */
  readonly locked: ReadonlyMap<string, LockedItem>
  /** Digests of what is in the space now. */
  readonly present: ReadonlyMap<IncomingItem, string | undefined>
  /** Items whose files here are neither what was taken nor what comes now. */
  readonly editedHere: ReadonlySet<IncomingItem>
  /** Those among them that are unchanged in their source. */
  readonly editedHereAlone: ReadonlySet<IncomingItem>
}

/** Also reads the lock, so it must run inside `changeSpace`. */
export async function readArrived(library: Library, request: ConsiderRequest): Promise<ArrivedItems> {
  const { target, tree, address } = request
  const lock = readLock(target)
  const source = printAddress(address, target.base)
  const entry = lock.sources.find(one => one.source === source)
  const considered = await considerItems(request, entry)
  const items = withFormerSigners(library, tree.origin, { items: considered.items, lock })
  const present = new Map(items.map(item => [item, presentDigest(target, item.name)]))
  const locked = new Map(entry?.items.map(item => [item.name, item]))
  const digestLocked = ({ name }: IncomingItem) => locked.get(name)?.digest
  const editedHere = items.filter(item => isEdited(present.get(item), digestLocked(item), item.digest))
  return {
    ...considered,
    ...{ source, resolved: sourceState(tree, items), lock, entry, locked, items, present },
    editedHere: new Set(editedHere),
    editedHereAlone: new Set(editedHere.filter(item => digestLocked(item) === item.digest)),
  }
}

function isEdited(present: string | undefined, locked: string | undefined, incoming: string): boolean {
  return present !== undefined && locked !== undefined && present !== locked && present !== incoming
}
