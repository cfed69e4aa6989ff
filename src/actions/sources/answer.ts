// How the actions on sources describe an item that a source brought.
import { quoteShellWord } from '../../base/index.ts'
import type { ItemReview } from '../../sources/index.ts'
import { sourceFlag } from '../../workspace/index.ts'
import type { Brought } from './bring-items.ts'
import { isSigned, linesOf } from './decide.ts'
import { digestSet, type IncomingItem } from './incoming.ts'
import type { Target } from './target.ts'

export interface BroughtItem {
  /** `TYPE:ID` in this space. */
  readonly item: string
  /** Its path in the source. */
  readonly from: string
  /** Digest of its files, as in the lock. */
  readonly digest: string
  /** The digest that `--accept` takes for this item; covers its type, id and files. */
  readonly accept: string
  readonly description: string
  /**
   * `open`: nobody has accepted it. `edited`: changed here since it was taken, and left as it is. `merged`:
   * merged with the changes made here, to be read and signed. `apart`: the changes conflict; the files here
   * stay, and the new ones were set aside.
   */
  readonly state: 'taken' | 'unchanged' | 'open' | 'edited' | 'merged' | 'apart'
  /** The command that compares the files here with those set aside. */
  readonly compare?: string
  /** The trusted key that signed it. */
  readonly signer?: string
  readonly review: ItemReview
  /** The review as lines of text. */
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
      state: broughtState(item, brought),
      ...compareOf(item, brought),
      ...(signed?.signer && { signer: signed.signer }),
      review,
      seen: linesOf(item, describe(item)),
    }
  })
}

function compareOf(item: IncomingItem, { merged }: Brought): { compare?: string } {
  const found = merged.find(one => one.item === item)
  return found && 'compare' in found ? { compare: found.compare } : {}
}

function broughtState(item: IncomingItem, brought: Brought): BroughtItem['state'] {
  const { decision, edited, unchanged, merged } = brought
  if (edited.includes(item)) return 'edited'
  if (decision.open.includes(item)) return 'open'
  const made = merged.find(one => one.item === item)
  if (made) return 'compare' in made ? 'apart' : 'merged'
  return unchanged.includes(item) ? 'unchanged' : 'taken'
}

/** `call` is the command that chose the set, without the space: with other words, the digest would differ. */
export function acceptCommand(
  call: readonly string[],
  { to }: { readonly to: Target['space'] },
  digest: string,
): string {
  const words = [...call, ...(to === 'project' ? [] : ['--to', to]), '--accept', digest]
  return `rye ${words.map(quoteShellWord).join(' ')}`
}

/** Says what happened to items that were also changed here, and what to do next. */
export function describeMerged(
  items: readonly BroughtItem[],
  { to }: { readonly to: Target['space'] },
): string[] {
  return items.flatMap(({ item, state, compare }) => {
    if (state === 'merged')
      return [
        `${item} merged with what was changed here: read it, then \`rye sign ${item}${sourceFlag(to)}\``,
      ]
    return compare === undefined
      ? []
      : [`${item} left as it is here; what came was set aside: \`${compare}\``]
  })
}
