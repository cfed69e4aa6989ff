// Inserts rows into a table, many at a time: a call into SQLite costs as much as the row itself.
import type { Database } from '../load-sqlite.ts'
import type { Statement } from '../statements.ts'

const ROWS_AT_ONCE = 32

type Value = string | number | null | Uint8Array

export class RowWriter {
  readonly #database: Database
  readonly #insert: string
  readonly #columns: number
  #many: Statement | undefined
  #values: Value[] = []

  /** `insert` is the statement without its values: `INSERT INTO term`. */
  constructor(database: Database, insert: string, columns: number) {
    this.#database = database
    this.#insert = insert
    this.#columns = columns
  }

  /** Byte arrays must not change before `flush`. */
  add(...row: Value[]): void {
    for (const value of row) this.#values.push(value)
    if (this.#values.length < ROWS_AT_ONCE * this.#columns) return
    this.#many ??= this.#prepare(ROWS_AT_ONCE)
    this.#many.run(...this.#values)
    this.#values = []
  }

  /** Inserts the remaining rows. */
  flush(): void {
    if (this.#values.length === 0) return
    this.#prepare(this.#values.length / this.#columns).run(...this.#values)
    this.#values = []
  }

  #prepare(rows: number): Statement {
    const row = `(${Array.from({ length: this.#columns }, () => '?').join()})`
    return this.#database.prepare(`${this.#insert} VALUES ${Array.from({ length: rows }, () => row).join()}`)
  }
}
