// The columns of the `skills` table, and the vectors that rows get.
import type { Schema } from 'apache-arrow'
import type { Arrow, ColumnValue } from '../../../lance/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import type { ToolRow } from '../skill-rows.ts'

export const TABLE = 'skills'

/** Searched columns, and the weight of a word in each. */
export const SEARCHED = { name_words: 5, intents: 4, routing_keywords: 3, content: 1 } as const

/** Searched by pairs of characters. */
export const UNSPACED = 'unspaced'

/** Providers refuse longer texts. */
const MAX_TEXT = 2000

const TEXT_COLUMNS = [
  'id',
  'content',
  'type',
  'tool_name',
  'skill_name',
  'category',
  'file_path',
  'name_words',
  'intents',
  'routing_keywords',
  'unspaced',
  'metadata',
  'digest',
] as const satisfies readonly (keyof ToolRow)[]

/** With a `vector` column when there is an embedder. */
export async function rowSchema(arrow: Arrow, embedder: TextEmbedder | undefined): Promise<Schema> {
  const fields = TEXT_COLUMNS.map(name => new arrow.Field(name, new arrow.Utf8(), false))
  if (!embedder) return new arrow.Schema(fields)
  const dimensions = await embedder.dimensions()
  const item = new arrow.Field('item', new arrow.Float32(), true)
  const vector = new arrow.Field('vector', new arrow.FixedSizeList(dimensions, item), true)
  return new arrow.Schema([...fields, vector])
}

/** Adds the model to a digest, so that rows with vectors of another model are rewritten. */
export function markModel(digest: string, embedder: TextEmbedder | undefined): string {
  return embedder ? `${digest} ${embedder.model}` : digest
}

/** The model of a row's vector; undefined for a row without one. */
export function modelOf(digest: string): string | undefined {
  const space = digest.indexOf(' ')
  return space === -1 ? undefined : digest.slice(space + 1)
}

export async function withVectors(
  rows: readonly ToolRow[],
  embedder: TextEmbedder | undefined,
): Promise<Record<string, ColumnValue>[]> {
  const marked = rows.map(row => ({ ...row, digest: markModel(row.digest, embedder) }))
  if (!embedder) return marked
  const vectors = await embedder.embedTexts(rows.map(textOf))
  // A row without a vector is found only by its words.
  return marked.map((row, index) => ({ ...row, vector: vectors[index] ?? null }))
}

/** The text to embed. Name and purposes come first: they say more than a long description, which may be cut. */
function textOf(row: ToolRow): string {
  return `${row.tool_name}\n${row.intents}\n${row.routing_keywords}\n${row.content}`.slice(0, MAX_TEXT)
}
