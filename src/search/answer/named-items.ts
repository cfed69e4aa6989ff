// Items whose id or name is the query itself, or is mentioned in a question. They come before all others.
import { idProblem } from '../../item/index.ts'
import type { Query } from '../../query/index.ts'
import type { DocSet } from '../match/doc-set.ts'
import { nameKey } from '../text/name-key.ts'
import { TIER } from './hit.ts'
import type { OpenSpace } from './stored-space.ts'

/** For each space, the tier of each named document. */
export function findNamed(
  spaces: readonly OpenSpace[],
  { text, query, said }: { readonly text: string; readonly query: Query; readonly said: Iterable<string> },
  allowed: readonly DocSet[],
): Map<number, number>[] {
  const id = text.trim()
  const key = nameKey(id)
  const isId = idProblem(id) === undefined
  const names = [...said]
  return spaces.map(({ reader }, at) => {
    const found = new Map<number, number>()
    if (id === '' || !isPlainWords(query) || reader.totals.documents === 0) return found
    // Weaker tiers are put first: a later one replaces an earlier one.
    const put = (docs: readonly number[], tier: number) => {
      for (const doc of docs) if (allowed[at]!.has(doc)) found.set(doc, tier)
    }
    if (names.length > 0) put(reader.items.docsOfNames(names), TIER.said)
    const spellings = reader.items.docsOfNames([key])
    put(spellings, TIER.spelling)
    if (spellings.length > 0) put(reader.items.docsSpelled(key, id), TIER.name)
    if (isId) put(reader.items.docsOfId(id), TIER.id)
    return found
  })
}

function isPlainWords(query: Query): boolean {
  return query.kind === 'term' || (query.kind === 'words' && query.children.every(isPlainWords))
}
