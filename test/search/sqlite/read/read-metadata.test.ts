// Metadata of all documents by name: equal to reading each document, in as many steps for a hundred names as
// for one.
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DamagedIndex } from '../../../../src/search/match/postings/damaged-index.ts'
import type { Database } from '../../../../src/search/sqlite/load-sqlite.ts'
import { readMetadata } from '../../../../src/search/sqlite/read/read-metadata.ts'

function databaseOf(metadata: ReadonlyMap<number, string>): Database {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE item (doc INTEGER PRIMARY KEY, metadata TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO item VALUES (?, ?)')
  for (const [doc, json] of metadata) insert.run(doc, json)
  return database
}

/** The same database, and how many statements were run on it. */
function counted(database: Database): { database: Database; runs: () => number } {
  let runs = 0
  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    const get = (...values: number[]) => {
      runs++
      return statement.get(...values)
    }
    return { get }
  }
  // The reader asks for no more of a database than this.
  return { database: { prepare } as unknown as Database, runs: () => runs }
}

// V8 of Node 24 may read a key of one escaped character as a backslash: such names are left to it.
const name = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'toString', '', 'a"b', '\\\\', '\n\n', ','),
  fc.string({ minLength: 2 }),
)
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }))
const library = fc.array(fc.tuple(fc.nat(1000), fc.dictionary(name, value, { maxKeys: 4 })), {
  maxLength: 40,
})

describe('the metadata of all documents', () => {
  it('are what each document says under a name, whatever the name is', () => {
    fc.assert(
      fc.property(library, fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), (entries, names) => {
        const documents = new Map(entries)
        const database = databaseOf(new Map([...documents].map(([doc, data]) => [doc, JSON.stringify(data)])))
        const columns = readMetadata(database, names)
        database.close()
        expect([...columns.keys()]).toEqual(names)
        for (const [asked, column] of columns) {
          const said = [...documents].filter(([, data]) => Object.hasOwn(data, asked))
          expect(Object.entries(column).sort()).toEqual(
            said.map(([doc, data]) => [String(doc), JSON.stringify(data[asked])]).sort(),
          )
        }
      }),
    )
  })

  it('are read once, however many names are asked for', () => {
    const database = databaseOf(new Map(Array.from({ length: 3000 }, (_, doc) => [doc, '{"a":1}'])))
    const runsFor = (names: readonly string[]) => {
      const { database: observed, runs } = counted(database)
      readMetadata(observed, names)
      return runs()
    }
    expect(runsFor(Array.from({ length: 100 }, (_, n) => `x${n}`))).toBe(runsFor(['a']))
    database.close()
  })

  it.each(['', '{', '5', 'null', '[]', '{"a":1},{"a":2}'])('are damage when they are %j', json => {
    const database = databaseOf(new Map([[1, json]]))
    expect(() => readMetadata(database, ['a'])).toThrow(DamagedIndex)
    database.close()
  })
})
