// Finds who signed an item before. A name that changes hands may be a theft, or the same people with a new
// key; only a person can tell. The lock knows the signers of items taken here; the user's own memory knows
// all others, in any project.
import type { Lock } from '../../sources/index.ts'
import { type KnownItem, knownItems } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import { signerOf } from './decide.ts'
import type { IncomingItem } from './incoming.ts'
import type { OpenedSource } from './open-source.ts'

interface Arrived {
  readonly items: readonly IncomingItem[]
  /** Searched for all items, whichever source brought them before. */
  readonly lock: Lock
}

type Origin = OpenedSource['origin']

/** Returns the items, each with its former signer if that differs from the current one. */
export function withFormerSigners(
  { states, userSpace }: Library,
  origin: Origin,
  { items, lock }: Arrived,
): IncomingItem[] {
  const known = knownItems(states, userSpace).read()
  const locked = new Map(
    lock.sources.flatMap(source => source.items.map(({ name, signer }) => [name, signer])),
  )
  return items.map(item => {
    const remembered = refsOf(item, origin).map(ref => known.get(ref)?.signer)
    const before = [locked.get(item.name), ...remembered].find(signer => signer !== undefined)
    // Exactly these bytes were accepted, by somebody who saw who signed them.
    const isKnown = before === undefined || before === signerOf(item) || item.verdict.approved !== undefined
    return isKnown ? item : { ...item, formerSigner: before }
  })
}

/** Remembers the signers: another key for one of these items is refused from now on. */
export async function rememberNames(
  { states, userSpace }: Library,
  origin: Origin,
  items: readonly IncomingItem[],
): Promise<void> {
  const found = items.flatMap((item): [string, KnownItem][] => {
    const isIntact = [item.verdict, item.ownVerdict].some(
      ({ status, approved }) => approved === undefined && (status === 'verified' || status === 'untrusted'),
    )
    const signer = signerOf(item)
    if (!isIntact || signer === undefined) return []
    return refsOf(item, origin).map(ref => [ref, { signer, ...origin }])
  })
  if (found.length > 0) await knownItems(states, userSpace).remember(new Map(found))
}

/** Its name here; and for a registry, where a name always means one item, also its maker's name for it. */
function refsOf({ found: { type, id: own }, id }: IncomingItem, origin: Origin): string[] {
  return [...new Set([id, ...(origin ? [own] : [])])].map(name => `${type}:${name}`)
}
