// Items as results show them, and the texts for their previews. The items of one answer are often in the
// next, so both are kept, up to a size, until the database changes.
import { flattenText } from '../../../base/index.ts'
import type { StoredItem, StoredRows } from '../../answer/stored-space.ts'
import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import type { Database } from '../load-sqlite.ts'
import { unpackText } from '../packed-text.ts'
import type { Statement } from '../statements.ts'

/** Characters of all texts that are kept, and of all rows. */
const CACHED_CHARACTERS = 4_000_000
/** Roughly what a row has besides its description. */
const ROW_CHARACTERS = 500

const SELECT_ROW = `SELECT type, id, name, title, description, category, version, date, tags, parameters, path, extension, hash
  FROM item WHERE doc = ?`

interface StoredRow extends Omit<StoredItem, 'date' | 'tags'> {
  readonly date: number | null
  readonly tags: string
}

export class ItemRows implements StoredRows {
  readonly #selectRow: Statement
  readonly #selectText: Statement
  readonly #rows = new Kept<StoredItem>(({ description }) => ROW_CHARACTERS + description.length)
  readonly #texts = new Kept<string>(text => text.length)

  constructor(database: Database) {
    this.#selectRow = database.prepare(SELECT_ROW)
    this.#selectText = database.prepare('SELECT text FROM body WHERE doc = ?')
  }

  row(doc: number): StoredItem {
    return this.#rows.get(doc, () => describe(this.#selectRow.get(doc) as StoredRow))
  }

  text(doc: number): string {
    return this.#texts.get(doc, () => {
      const body = this.#selectText.get(doc) as { readonly text: string | Uint8Array } | undefined
      if (body === undefined) throw new DamagedIndex('an item has no text')
      return unpackText(body.text)
    })
  }
}

/** Forgets everything when it has too much. */
class Kept<Value> {
  readonly #values = new Map<number, Value>()
  readonly #size: (value: Value) => number
  #characters = 0

  constructor(size: (value: Value) => number) {
    this.#size = size
  }

  get(doc: number, read: () => Value): Value {
    const known = this.#values.get(doc)
    if (known !== undefined) return known
    const value = read()
    if (this.#characters > CACHED_CHARACTERS) {
      this.#values.clear()
      this.#characters = 0
    }
    this.#characters += this.#size(value)
    this.#values.set(doc, value)
    return value
  }
}

function describe(row: StoredRow): StoredItem {
  const { type, id, name, path, extension, hash } = row
  return {
    ...{ type, id, name, path, extension, hash },
    title: flattenText(row.title),
    description: flattenText(row.description),
    category: flattenText(row.category),
    version: flattenText(row.version),
    date: row.date ?? undefined,
    tags: (JSON.parse(row.tags) as string[]).map(flattenText),
    parameters: flattenText(row.parameters),
  }
}
