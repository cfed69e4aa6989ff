// Who signed an item before. A name that changes hands is what a theft looks like, and what a new key of the same people looks like: only a
// person can tell. The lock knows it of what was taken here, and the user's own memory of every package, whatever the project.
import type { LockedSource, SourceAddress } from '../../sources/index.ts'
import { type KnownItem, knownItems } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import { signerOf } from './decide.ts'
import type { IncomingItem } from './incoming.ts'

interface Arrived {
  readonly items: readonly IncomingItem[]
  readonly entry: LockedSource | undefined
}

/** The items, each with the key that signed it before, where that is another one than now. */
export function withFormerSigners(
  { states, userSpace }: Library,
  { kind }: SourceAddress,
  { items, entry }: Arrived,
): IncomingItem[] {
  const known = kind === 'npm' ? knownItems(states, userSpace).read() : new Map<string, KnownItem>()
  return items.map(item => {
    const locked = entry?.items.find(({ name }) => name === item.name)?.signer
    const before = locked ?? known.get(refOf(item))?.signer
    // Exactly these bytes were accepted: whoever did so has seen who signed them.
    const isKnown = before === undefined || before === signerOf(item) || item.verdict.approved !== undefined
    return isKnown ? item : { ...item, formerSigner: before }
  })
}

/** From now on, another key for one of these is a stop. */
export async function rememberNames(
  { states, userSpace }: Library,
  origin: Pick<KnownItem, 'package' | 'registry'>,
  items: readonly IncomingItem[],
): Promise<void> {
  const found = items.flatMap((item): [string, KnownItem][] => {
    const isIntact = [item.verdict, item.ownVerdict].some(
      ({ status, approved }) => approved === undefined && (status === 'verified' || status === 'untrusted'),
    )
    const signer = signerOf(item)
    return isIntact && signer !== undefined ? [[refOf(item), { signer, ...origin }]] : []
  })
  if (found.length > 0) await knownItems(states, userSpace).remember(new Map(found))
}

/** As its maker names it. */
function refOf({ found: { type, id } }: IncomingItem): string {
  return `${type}:${id}`
}
