// The rows of one page: what is shown of each hit, why it matched, and a preview. Nothing hidden reaches a reader.
import { escapeHidden } from '../../base/index.ts'
import type { ItemType } from '../../item/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../../query/index.ts'
import { type Leaf, type Postings, previewAround } from '../../search/index.ts'
import type { Hit, OpenSpace } from './run-search.ts'
import type { SearchRow } from './search-request.ts'
import type { SpaceReader } from './space-reader.ts'

/** A leaf that speaks for hits, and where it was found in each space. */
export interface Evidence {
  readonly leaf: Leaf
  readonly postings: readonly Postings[]
}

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

/** A wildcard may have matched hundreds of words; a reader wants the gist. */
const MAX_MATCHED = 20

export function readPage(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  evidence: readonly Evidence[],
): SearchRow[] {
  const words = spaces.map(({ reader }, at) =>
    evidence.flatMap(({ leaf, postings }) => wordLists(reader, leaf, postings[at]!)),
  )
  return hits.map(({ at, doc, score, tier }) => {
    const { space, reader } = spaces[at]!
    const row = reader.statement(SELECT_ROW).get(doc) as ItemRow
    const matched = matchedWords(words[at]!, doc)
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

interface WordList {
  readonly word: string
  readonly postings: Postings
}

/** What stands behind a leaf: its words one by one, or words in sequence as one. */
function wordLists(reader: SpaceReader, leaf: Leaf, postings: Postings): WordList[] {
  if (leaf.slots.length > 1) {
    const word = leaf.slots.map(slot => (slot.kind === 'wildcard' ? slot.pattern : slot.word)).join(' ')
    return [{ word, postings }]
  }
  const field = leaf.field === undefined ? 255 : 1 << SEARCH_FIELDS.indexOf(leaf.field)
  return reader.expand(leaf.slots[0]!).terms.map(term => {
    const found = reader.postings(term)
    const masks = field === 255 ? found.masks : found.masks.map(mask => mask & field)
    return { word: reader.wordOf(term), postings: { ...found, masks } }
  })
}

function matchedWords(lists: readonly WordList[], doc: number): Partial<Record<SearchField, string[]>> {
  const matched: Partial<Record<SearchField, string[]>> = {}
  for (const { word, postings } of lists) {
    const index = indexOf(postings.docs, doc)
    if (index === -1) continue
    SEARCH_FIELDS.forEach((field, bit) => {
      if ((postings.masks[index]! & (1 << bit)) === 0) return
      const words = matched[field] ?? []
      matched[field] = words
      if (words.length < MAX_MATCHED && !words.includes(word)) words.push(word)
    })
  }
  return matched
}

function indexOf(docs: Uint32Array, doc: number): number {
  let low = 0
  let high = docs.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (docs[middle] === doc) return middle
    if (docs[middle]! < doc) low = middle + 1
    else high = middle - 1
  }
  return -1
}
