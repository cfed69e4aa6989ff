// Items as results show them, with the text for their previews. The items of one answer are often in the next: rows are
// kept, up to a size, until the database changes.
import { flattenText } from '../../../base/index.ts'
import type { StoredItem } from '../../answer/stored-space.ts'
import type { Database } from '../load-sqlite.ts'
import { unpackText } from '../packed-text.ts'
import type { Statement } from '../statements.ts'

/** Characters of all texts that are kept. */
const CACHED_CHARACTERS = 4_000_000

const SELECT_ROW = `SELECT item.type, item.id, item.name, item.title, item.description, item.category, item.version, item.date, item.tags, item.parameters,
  item.path, item.extension, item.hash, body.text
  FROM item JOIN body USING (doc) WHERE doc = ?`

interface StoredRow extends Omit<StoredItem['shown'], 'date' | 'tags'> {
  readonly date: number | null
  readonly tags: string
  readonly text: string | Uint8Array
}

export class ItemRows {
  readonly #select: Statement
  readonly #rows = new Map<number, StoredItem>()
  #characters = 0

  constructor(database: Database) {
    this.#select = database.prepare(SELECT_ROW)
  }

  row(doc: number): StoredItem {
    const known = this.#rows.get(doc)
    if (known) return known
    const row = describe(this.#select.get(doc) as StoredRow)
    if (this.#characters > CACHED_CHARACTERS) {
      this.#rows.clear()
      this.#characters = 0
    }
    this.#characters += row.text.length
    this.#rows.set(doc, row)
    return row
  }
}

function describe(row: StoredRow): StoredItem {
  const { type, id, name, path, extension, hash, text } = row
  const shown = {
    ...{ type, id, name, path, extension, hash },
    title: flattenText(row.title),
    description: flattenText(row.description),
    category: flattenText(row.category),
    version: flattenText(row.version),
    date: row.date ?? undefined,
    tags: (JSON.parse(row.tags) as string[]).map(flattenText),
    parameters: flattenText(row.parameters),
  }
  return { shown, text: unpackText(text) }
}
