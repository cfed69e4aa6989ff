// The rows of hits, each of the equal item that whoever asks prefers.
import type { Hit } from './hit.ts'
import type { SearchRequest, SearchRow } from './search-request.ts'

/** The most copies that are asked about in one search: anybody can make as many as they like. */
const MAX_ASKED = 1000

export interface Choice {
  read(hits: readonly Hit[]): SearchRow[]
  /** All that a hit stands for, itself first; undefined for one without copies. */
  membersOf(hit: Hit): readonly Hit[] | undefined
  readonly isWanted: SearchRequest['prefers']
  /** Whether one may be wanted at all; after one that may not, none is. */
  mayBeWanted(hit: Hit): boolean
}

/** Reads rows as `read` does. The bound counts over all calls. */
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
