// Columns of all items, for order and filters, and lookups of items by id or name. A column is read as one
// string, which reaches JavaScript faster than many rows, and is kept until the database changes.
import type { Approved } from '../../answer/search-request.ts'
import type { StoredColumns } from '../../answer/stored-space.ts'
import type { Database } from '../load-sqlite.ts'
import { Statements } from '../statements.ts'
import { readMetadata } from './read-metadata.ts'

/** Fields whose values are kept for the next search; a single search may have more. */
const CACHED_FIELDS = 8

/** The `meta` key of stored ranks: after a start, ranking would take longer than the search. */
export const ID_RANKS = 'id ranks'

/** Columns that filters can name, as JSON. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...['type', 'id', 'name', 'title', 'description', 'category', 'version', 'extension'].map(
    (column): [string, string] => [column, `json_quote(${column})`],
  ),
  ['tags', 'tags'],
])

const DOC = 'SELECT doc FROM item WHERE '

export class ItemColumns implements StoredColumns {
  readonly #database: Database
  readonly #generation: number
  readonly #statements: Statements
  readonly #values = new Map<string, readonly string[]>()
  #docNumbers: readonly number[] | undefined
  #idRanks: Uint32Array | undefined
  #names: readonly string[] | undefined
  #verifiable: { readonly approved: Approved | undefined; readonly docs: ReadonlySet<number> } | undefined
  #dates: readonly (number | undefined)[] | undefined

  constructor(database: Database, generation: number) {
    this.#database = database
    this.#statements = new Statements(database)
    this.#generation = generation
  }

  idRanks(): Uint32Array {
    this.#idRanks ??= this.#storedRanks() ?? this.#rankById()
    return this.#idRanks
  }

  names(): readonly string[] {
    this.#names ??= this.#byDoc('name', name => name)
    return this.#names
  }

  mayBeVerified(approved: Approved | undefined): ReadonlySet<number> {
    if (this.#verifiable && this.#verifiable.approved === approved) return this.#verifiable.docs
    const signed = this.#docs('may_be_signed = 1')
    const docs = new Set(signed.concat(approved?.size ? this.#docsNamed(approved.keys()) : []))
    this.#verifiable = { approved, docs }
    return docs
  }

  dates(): readonly (number | undefined)[] {
    this.#dates ??= this.#byDoc(`coalesce(date, '')`, date => (date === '' ? undefined : Number(date)))
    return this.#dates
  }

  /** Columns of the table take precedence over metadata of the same name. */
  values(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
    if (fields.every(field => this.#values.has(field))) return this.#values
    // Field names come from callers, who may ask for any number of them.
    if (this.#values.size + fields.length > CACHED_FIELDS) this.#values.clear()
    const missing = fields.filter(field => !this.#values.has(field))
    for (const field of missing) {
      const column = COLUMNS.get(field)
      const values = column && this.#byDoc(column, value => value)
      if (values) this.#values.set(field, values)
    }
    const names = missing.filter(field => !COLUMNS.has(field))
    if (names.length > 0)
      for (const [name, values] of readMetadata(this.#database, names)) this.#values.set(name, values)
    // All items have gone through SQLite's cache, which would keep megabytes that no search asks for again.
    this.#database.exec('PRAGMA shrink_memory')
    return this.#values
  }

  docsBelow(namespace: string, self: boolean): number[] {
    // `0` is the character after `/`: the range of all ids that begin with the namespace and a slash.
    const docs = this.#docs('id >= ? AND id < ?', `${namespace}/`, `${namespace}0`)
    return self ? [...docs, ...this.#docs('id = ?', namespace)] : docs
  }

  docsOfId(id: string): number[] {
    return this.#docs('id IN (?, ?)', id, id.toLowerCase())
  }

  has(type: string, id: string): boolean {
    return this.#statements.get(`${DOC}id = ? AND type = ?`).get(id, type) !== undefined
  }

  docsOfNames(keys: readonly string[]): number[] {
    return this.#docs('name_key IN (SELECT value FROM json_each(?))', JSON.stringify(keys))
  }

  docsSpelled(key: string, name: string): number[] {
    return this.#docs('name_key = ? AND name = ?', key, name)
  }

  /** In one query: there may be thousands. */
  #docsNamed(names: Iterable<string>): number[] {
    return this.#docs(
      `(id, type) IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`,
      JSON.stringify(Array.from(names, splitName)),
    )
  }

  #docs(condition: string, ...values: string[]): number[] {
    return this.#statements.all<{ doc: number }>(DOC + condition, ...values).map(row => row.doc)
  }

  #storedRanks(): Uint32Array | undefined {
    const row = this.#database.prepare(`SELECT value FROM meta WHERE key = '${ID_RANKS}'`).get() as
      | { value: unknown }
      | undefined
    if (!(row?.value instanceof Uint8Array)) return undefined
    // A copy, because the bytes may not be aligned.
    const stored = new Uint32Array(row.value.slice().buffer, 0, row.value.length >> 2)
    return stored[0] === this.#generation ? stored.subarray(1) : undefined
  }

  #rankById(): Uint32Array {
    // Ordered in the subquery, by an index; ordered inside `json_group_array`, all rows would be sorted.
    const row = this.#database
      .prepare(`SELECT json_group_array(doc) AS docs FROM (SELECT doc FROM item ORDER BY id, type)`)
      .get() as { docs: string }
    const docs: number[] = JSON.parse(row.docs)
    const ranks = new Uint32Array(docs.reduce((most, doc) => Math.max(most, doc + 1), 0))
    for (let rank = 0; rank < docs.length; rank++) ranks[docs[rank]!] = rank
    return ranks
  }

  #byDoc<T>(expression: string, read: (value: string) => T): T[] {
    this.#docNumbers ??= this.#join('doc').map(Number)
    const values = this.#join(expression)
    const byDoc: T[] = []
    this.#docNumbers.forEach((doc, index) => {
      byDoc[doc] = read(values[index]!)
    })
    return byDoc
  }

  /** Split at line breaks: names have none, and JSON escapes them. */
  #join(expression: string): string[] {
    // Ordered in the subquery, as the table is; ordered inside `group_concat`, all values would be sorted.
    const row = this.#database
      .prepare(
        `SELECT group_concat(value, char(10)) AS joined FROM (SELECT ${expression} AS value FROM item ORDER BY doc)`,
      )
      .get() as { joined: string | null }
    return row.joined === null ? [] : row.joined.split('\n')
  }
}

/** Id and type of `TYPE:ID.EXTENSION` or `skill:ID`. */
function splitName(name: string): [id: string, type: string] {
  const colon = name.indexOf(':')
  const type = name.slice(0, colon)
  return [name.slice(colon + 1, type === 'skill' ? undefined : name.lastIndexOf('.')), type]
}

/** Ranks as they are stored, with the generation they belong to. */
export function packRanks(generation: number, ranks: Uint32Array): Uint8Array {
  const packed = new Uint32Array(1 + ranks.length)
  packed[0] = generation
  packed.set(ranks, 1)
  return new Uint8Array(packed.buffer)
}
