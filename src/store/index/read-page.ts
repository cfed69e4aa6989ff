// The rows of one page: what is shown of each hit, why it matched, and a preview. Nothing hidden reaches a reader.
import { escapeHidden } from '../../base/index.ts'
import type { ItemType } from '../../item/index.ts'
import { previewAround } from '../../search/index.ts'
import type { Hit, OpenSpace } from './hit.ts'
import { type Evidence, matchedWords } from './matched-words.ts'
import type { SearchRow } from './search-request.ts'

interface ItemRow {
  readonly type: ItemType
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly version: string
  readonly date: number | null
  readonly tags: string
  readonly path: string
  readonly extension: string
  readonly hash: string
  readonly text: string
}

const SELECT_ROW = `SELECT item.type, item.id, item.name, item.title, item.description, item.category, item.version, item.date, item.tags,
  item.path, item.extension, item.hash, body.text
  FROM item JOIN body USING (doc) WHERE doc = ?`

export function readPage(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  evidence: readonly Evidence[],
): SearchRow[] {
  const words = matchedWords(spaces, hits, evidence)
  return hits.map(({ at, doc, score, tier }, index) => {
    const { space, reader } = spaces[at]!
    const row = reader.statement(SELECT_ROW).get(doc) as ItemRow
    const matched = words[index]!
    const { text, date, tags, ...shown } = row
    return {
      ...shown,
      space,
      title: visible(row.title),
      description: visible(row.description),
      category: visible(row.category),
      version: visible(row.version),
      date: date ?? undefined,
      tags: (JSON.parse(tags) as string[]).map(visible),
      score,
      partial: tier === 3,
      matched,
      preview: previewAround(text === '' ? row.description : text, Object.values(matched).flat()),
    }
  })
}

const PLAIN = /^[\x20-\x7e]*$/

/** Most texts are plain, and that is quickly seen. */
function visible(text: string): string {
  return PLAIN.test(text) ? text : escapeHidden(text, { oneLine: true })
}
