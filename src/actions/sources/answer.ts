// What the actions over sources say of an item that came.
import type { ItemReview } from '../../sources/index.ts'
import type { Brought } from './bring-items.ts'
import { isSigned, linesOf } from './decide.ts'
import { digestSet, type IncomingItem } from './incoming.ts'

export interface BroughtItem {
  /** `TYPE:ID` here. */
  readonly item: string
  /** Its path in the source. */
  readonly from: string
  /** Of its files, as in the lock. */
  readonly digest: string
  /** What `--accept` takes for it: its type, its id and its files. */
  readonly accept: string
  readonly description: string
  /** `open`: nobody has accepted it. `edited`: changed here since it was taken, and left as it is. */
  readonly state: 'taken' | 'unchanged' | 'open' | 'edited'
  /** The trusted key that signed it. */
  readonly signer?: string
  readonly review: ItemReview
  /** The review in lines. */
  readonly seen: readonly string[]
}

export function answerItems(
  brought: Brought,
  describe: (item: IncomingItem) => readonly string[],
): BroughtItem[] {
  return brought.items.map(item => {
    const { found, id, digest, metadata, review } = item
    const signed = [item.verdict, item.ownVerdict].find(isSigned)
    return {
      ...{ item: `${found.type}:${id}`, from: found.path, digest, accept: digestSet([item]) },
      description: typeof metadata.description === 'string' ? metadata.description : '',
      state: stateOf(item, brought),
      ...(signed?.signer && { signer: signed.signer }),
      review,
      seen: linesOf(item, describe(item)),
    }
  })
}

function stateOf(item: IncomingItem, { decision, edited, unchanged }: Brought): BroughtItem['state'] {
  if (edited.includes(item)) return 'edited'
  if (decision.open.includes(item)) return 'open'
  return unchanged.includes(item) ? 'unchanged' : 'taken'
}
