// What is asked of many items at once: order, values for filters, items of an id or name. Whole columns are read as one string,
// which crosses to JavaScript faster than as many rows, and kept for as long as the generation of the database lasts.
import type { StoredColumns } from '../../answer/stored-space.ts'
import type { Database } from '../database.ts'
import { readMetadata } from './read-metadata.ts'

/** Fields whose values are kept for the next filter; those of one search are kept together, however many. */
const CACHED_FIELDS = 8

/** Where ranks are kept for the next start, to which ranking takes longer than its search. */
export const ID_RANKS = 'id ranks'

/** Columns that filters can ask for, as JSON. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...['type', 'id', 'name', 'title', 'description', 'category', 'version', 'extension'].map(
    (column): [string, string] => [column, `json_quote(${column})`],
  ),
  ['tags', 'tags'],
])

export class ItemColumns implements StoredColumns {
  readonly #database: Database
  readonly #generation: number
  readonly #selects = new Map<string, ReturnType<Database['prepare']>>()
  readonly #values = new Map<string, readonly string[]>()
  #docNumbers: readonly number[] | undefined
  #idRanks: Uint32Array | undefined
  #names: readonly string[] | undefined
  #dates: readonly number[] | undefined
  #ownDates: readonly (number | undefined)[] | undefined

  constructor(database: Database, generation: number) {
    this.#database = database
    this.#generation = generation
  }

  /** The rank of each document when all are sorted by id; ranks of one space only can be compared. */
  idRanks(): Uint32Array {
    this.#idRanks ??= this.#keptRanks() ?? this.#rankById()
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

  /**
   * By field, then by document: the value as JSON; nothing or an empty text for none. At least the fields that are asked for are
   * there. What an item is comes before what its metadata says.
   */
  values(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
    if (fields.every(field => this.#values.has(field))) return this.#values
    // Names come from callers, who may think of many.
    if (this.#values.size + fields.length > CACHED_FIELDS) this.#values.clear()
    const missing = fields.filter(field => !this.#values.has(field))
    for (const field of missing) {
      const column = COLUMNS.get(field)
      const values = column && this.#byDoc(column, value => value)
      if (values) this.#values.set(field, values)
    }
    const names = missing.filter(field => !COLUMNS.has(field))
    if (names.length === 0) return this.#values
    for (const [name, values] of readMetadata(this.#database, names)) this.#values.set(name, values)
    return this.#values
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

  docsSpelt(key: string, name: string): number[] {
    return this.#docs('name_key = ? AND name = ?', key, name)
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

  #keptRanks(): Uint32Array | undefined {
    const row = this.#database.prepare(`SELECT value FROM meta WHERE key = '${ID_RANKS}'`).get() as
      | { value: unknown }
      | undefined
    if (!(row?.value instanceof Uint8Array)) return undefined
    // A copy, because the bytes may begin anywhere.
    const kept = new Uint32Array(row.value.slice().buffer, 0, row.value.length >> 2)
    return kept[0] === this.#generation ? kept.subarray(1) : undefined
  }

  #rankById(): Uint32Array {
    // Ordered inside, which an index does; ordered by the function that joins them, all would be sorted.
    const row = this.#database
      .prepare(`SELECT json_group_array(doc) AS docs FROM (SELECT doc FROM item ORDER BY id, type)`)
      .get() as { docs: string }
    const docs: number[] = JSON.parse(row.docs)
    const ranks = new Uint32Array(docs.reduce((most, doc) => Math.max(most, doc + 1), 0))
    for (let rank = 0; rank < docs.length; rank++) ranks[docs[rank]!] = rank
    return ranks
  }

  #byDoc<T>(expression: string, read: (value: string) => T): T[] {
    this.#docNumbers ??= this.#join(`group_concat(doc, char(10) ORDER BY doc)`).map(Number)
    const values = this.#join(`group_concat(${expression}, char(10) ORDER BY doc)`)
    const byDoc: T[] = []
    this.#docNumbers.forEach((doc, index) => {
      byDoc[doc] = read(values[index]!)
    })
    return byDoc
  }

  /** Names have no line breaks, and JSON writes them otherwise. */
  #join(expression: string): string[] {
    const row = this.#database.prepare(`SELECT ${expression} AS joined FROM item`).get() as {
      joined: string | null
    }
    return row.joined === null ? [] : row.joined.split('\n')
  }
}

/** As they are kept. */
export function packRanks(generation: number, ranks: Uint32Array): Uint8Array {
  const packed = new Uint32Array(1 + ranks.length)
  packed[0] = generation
  packed.set(ranks, 1)
  return new Uint8Array(packed.buffer)
}
