// The rows of one page: the item of each hit, why it matched, and a preview. Hidden characters are escaped.
import type { Space } from '../../item/index.ts'
import { type Hit, TIER } from './hit.ts'
import { type Evidence, reasonsOf } from './matched-words.ts'
import type { MeaningScores } from './meaning-scores.ts'
import { previewBeside } from './preview.ts'
import type { SearchRow } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

export interface PageEvidence {
  /** The leaves that counted for the score of the hits, and where they were found. */
  readonly evidence: readonly Evidence[]
  readonly meaning: Pick<MeaningScores, 'shareOf'>
  /** Whether the hit gets a preview. */
  isQuoted(hit: Hit): boolean
}

export function readPage(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  { evidence, meaning, isQuoted }: PageEvidence,
): SearchRow[] {
  const reasons = reasonsOf(spaces, hits, evidence)
  return hits.map((hit, index) => {
    const { at, doc, score, tier, isPartial } = hit
    const { space, reader } = spaces[at]!
    const shown = reader.rows.row(doc)
    const { matched, previewWords } = reasons[index]!
    // Field by field: with a spread, V8 takes several times as long.
    return {
      type: shown.type,
      id: shown.id,
      name: shown.name,
      title: shown.title,
      description: shown.description,
      category: shown.category,
      version: shown.version,
      date: shown.date,
      tags: shown.tags,
      parameters: shown.parameters,
      path: shown.path,
      extension: shown.extension,
      hash: shown.hash,
      space,
      spaces: holdersOf(spaces, shown, space),
      score,
      meaningShare: tier < TIER.found ? undefined : meaning.shareOf(hit),
      tier,
      partial: isPartial,
      copies: 1,
      matched,
      preview: isQuoted(hit)
        ? previewBeside(shown.description, reader.rows.text(doc), [...previewWords])
        : '',
    }
  })
}

/** All spaces that have the item. `own` is the one in which it was found. */
function holdersOf(
  spaces: readonly OpenSpace[],
  item: { readonly type: string; readonly id: string },
  own: Space,
): Space[] {
  const holds = ({ space, reader }: OpenSpace) =>
    space === own || (reader.totals.documents > 0 && reader.items.has(item.type, item.id))
  return spaces.filter(holds).map(({ space }) => space)
}
