// The rows of one page: what is shown of each hit, why it matched, and a preview. Nothing hidden reaches a reader.
import { previewAround } from '../../search/index.ts'
import type { Hit, OpenSpace } from './hit.ts'
import { type Evidence, matchedWords } from './matched-words.ts'
import type { SearchRow } from './search-request.ts'

export function readPage(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  evidence: readonly Evidence[],
): SearchRow[] {
  const words = matchedWords(spaces, hits, evidence)
  return hits.map(({ at, doc, score, tier }, index) => {
    const { space, reader } = spaces[at]!
    const { shown, text } = reader.rows.row(doc)
    const matched = words[index]!
    const found = ([] as string[]).concat(...Object.values(matched))
    return { ...shown, space, score, partial: tier === 3, matched, preview: previewAround(text, found) }
  })
}
