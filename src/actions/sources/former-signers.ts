// Who signed an item before. A name that changes hands is what a theft looks like, and what a new key of the same people looks like: only a
// person can tell. The lock knows it of what was taken here, and the user's own memory of everything else, whatever the project.
import type { Lock } from '../../sources/index.ts'
import { type KnownItem, knownItems } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import { signerOf } from './decide.ts'
import type { IncomingItem } from './incoming.ts'
import type { OpenedSource } from './open-source.ts'

interface Arrived {
  readonly items: readonly IncomingItem[]
  /** Whichever source brought an item before. */
  readonly lock: Lock
}

type Origin = OpenedSource['origin']

/** The items, each with the key that signed it before, where that is another one than now. */
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
    // Exactly these bytes were accepted: whoever did so has seen who signed them.
    const isKnown = before === undefined || before === signerOf(item) || item.verdict.approved !== undefined
    return isKnown ? item : { ...item, formerSigner: before }
  })
}

/** From now on, another key for one of these is a stop. */
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

/** As it is called here, and in a registry, where one name is one item, as its maker calls it. */
function refsOf({ found: { type, id: own }, id }: IncomingItem, origin: Origin): string[] {
  return [...new Set([id, ...(origin ? [own] : [])])].map(name => `${type}:${name}`)
}
