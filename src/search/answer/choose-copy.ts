// Reads the rows of hits. Of equal items, each row is the one that the caller prefers.
import type { Hit } from './hit.ts'
import type { SearchRequest, SearchRow } from './search-request.ts'

/**
 * The most copies that `isWanted` is asked about in one search, since anyone can make as many as they like.
 */
const MAX_ASKED = 1000

export interface Choice {
  read(hits: readonly Hit[]): SearchRow[]
  /** All equal items that a hit stands for, itself first; undefined for one without copies. */
  membersOf(hit: Hit): readonly Hit[] | undefined
  readonly isWanted: SearchRequest['prefers']
  /** Whether a hit may be wanted at all. After one that may not, no member is. */
  mayBeWanted(hit: Hit): boolean
}

/**
 * Returns a function that reads rows as `read` does, and chooses copies. The bound counts over all its calls.
 */
export function rowChooser({
  read,
  membersOf,
  isWanted,
  mayBeWanted,
}: Choice): (hits: readonly Hit[]) => SearchRow[] {
  let left = MAX_ASKED
  const choose = (row: SearchRow, hit: Hit): SearchRow => {
    const members = membersOf(hit)
    if (members === undefined) return row
    const { score, tier, isPartial } = hit
    let chosen = row
    if (isWanted && left-- > 0 && !isWanted(row)) {
      for (let at = 1; at < members.length && left-- > 0; at++) {
        const member = members[at]!
        if (!mayBeWanted(member)) break
        const [other] = read([{ ...member, score, tier, isPartial }])
        if (!isWanted(other!)) continue
        chosen = other!
        break
      }
    }
    return { ...chosen, copies: members.length }
  }
  return hits => read(hits).map((row, at) => choose(row, hits[at]!))
}
