// What is asked of many items at once: order, values for filters, items of an id or name. Whole columns are read as one string,
// which crosses to JavaScript faster than as many rows, and kept for as long as the generation of the database lasts.
import type { Database } from './database.ts'

/** Fields whose values are kept for the next filter. */
const CACHED_FIELDS = 8

/** Columns that filters can ask for, as JSON. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...['type', 'id', 'name', 'title', 'description', 'category', 'version', 'extension'].map(
    (column): [string, string] => [column, `json_quote(${column})`],
  ),
  ['tags', 'tags'],
])

export class ItemColumns {
  readonly #database: Database
  readonly #selects = new Map<string, ReturnType<Database['prepare']>>()
  readonly #values = new Map<string, readonly string[]>()
  #idRanks: readonly number[] | undefined
  #names: readonly string[] | undefined
  #dates: readonly number[] | undefined
  #ownDates: readonly (number | undefined)[] | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** The rank of each document when all are sorted by id; ranks of one space only can be compared. */
  idRanks(): readonly number[] {
    this.#idRanks ??= this.#rankById()
    return this.#idRanks
  }

  names(): readonly string[] {
    this.#names ??= this.#byDoc('name', name => name)
    return this.#names
  }

  /** The date of each document: its own, or else that of its file. */
  dates(): readonly number[] {
    this.#dates ??= this.#byDoc('coalesce(date, mtime)', Number)
    return this.#dates
  }

  /** The date that each document gives itself. */
  ownDates(): readonly (number | undefined)[] {
    this.#ownDates ??= this.#byDoc(`coalesce(date, '')`, date => (date === '' ? undefined : Number(date)))
    return this.#ownDates
  }

  /** The value of a field of each document, as JSON; empty for none. What an item is comes before what its metadata says. */
  values(field: string): readonly string[] {
    const known = this.#values.get(field)
    if (known) return known
    const column = COLUMNS.get(field)
    // A quote cannot be written in a JSON path of SQLite, so no member of such a name is found.
    const path = /["\\\0]/.test(field) ? '$.""' : `$."${field}"`
    const values = column
      ? this.#byDoc(column, value => value)
      : this.#byDoc(`coalesce(metadata -> ?, '')`, value => value, path)
    // Names come from callers, who may think of many.
    if (this.#values.size >= CACHED_FIELDS) this.#values.clear()
    this.#values.set(field, values)
    return values
  }

  /** Documents whose id lies below a namespace, or, with `self`, is the namespace. */
  docsBelow(namespace: string, self: boolean): number[] {
    // `0` follows `/`, so this is the range of all ids that begin with the namespace and a slash.
    const docs = this.#docs('id >= ? AND id < ?', `${namespace}/`, `${namespace}0`)
    return self ? [...docs, ...this.#docs('id = ?', namespace)] : docs
  }

  docsOfId(id: string): number[] {
    return this.#docs('id IN (?, ?)', id, id.toLowerCase())
  }

  has(type: string, id: string): boolean {
    return this.#select('id = ? AND type = ?').get(id, type) !== undefined
  }

  docsOfName(key: string): number[] {
    return this.#docs('name_key = ?', key)
  }

  #docs(condition: string, ...values: string[]): number[] {
    const rows = this.#select(condition).all(...values) as { doc: number }[]
    return rows.map(row => row.doc)
  }

  #select(condition: string): ReturnType<Database['prepare']> {
    const select =
      this.#selects.get(condition) ?? this.#database.prepare(`SELECT doc FROM item WHERE ${condition}`)
    this.#selects.set(condition, select)
    return select
  }

  #rankById(): number[] {
    // Ordered inside, which an index does; ordered by the function that joins them, all would be sorted.
    const row = this.#database
      .prepare(`SELECT json_group_array(doc) AS docs FROM (SELECT doc FROM item ORDER BY id, type)`)
      .get() as { docs: string }
    const docs: number[] = JSON.parse(row.docs)
    const ranks: number[] = []
    for (let rank = 0; rank < docs.length; rank++) ranks[docs[rank]!] = rank
    return ranks
  }

  #byDoc<T>(expression: string, read: (value: string) => T, ...parameters: string[]): T[] {
    const docs = this.#join(`group_concat(doc, char(10) ORDER BY doc)`)
    const values = this.#join(`group_concat(${expression}, char(10) ORDER BY doc)`, ...parameters)
    const byDoc: T[] = []
    docs.forEach((doc, index) => {
      byDoc[Number(doc)] = read(values[index]!)
    })
    return byDoc
  }

  /** Names have no line breaks, and JSON writes them otherwise. */
  #join(expression: string, ...parameters: string[]): string[] {
    const row = this.#database.prepare(`SELECT ${expression} AS joined FROM item`).get(...parameters) as {
      joined: string | null
    }
    return row.joined === null ? [] : row.joined.split('\n')
  }
}
