// Prepared statements of one connection, by their SQL: preparing takes longer than most queries.
import type { Database } from './load-sqlite.ts'

export type Statement = ReturnType<Database['prepare']>

export class Statements {
  readonly #database: Database
  readonly #prepared = new Map<string, Statement>()

  constructor(database: Database) {
    this.#database = database
  }

  get(sql: string): Statement {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }

  /** `Row` must match the columns of the SQL. */
  all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.get(sql).all(...values) as Row[]
  }
}
