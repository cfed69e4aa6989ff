// Renumbers all documents, and drops deleted ones with their postings, and words that no document has any more. This
// rewrites the whole index, so it waits until there is much to gain. Part of the transaction that calls it.
import { decodeOccurrences, decodePostings } from '../../match/postings/decode-postings.ts'
import { ListEncoder } from '../../match/postings/encode-postings.ts'
import {
  CHUNK_SIZE,
  chunkOf,
  KEYS_SIZE,
  keyOf,
  LENGTHS_SIZE,
  readChunks,
  readKeys,
  type StoredChunk,
  TERM_HAS_LIST,
  termOf,
} from '../chunks.ts'
import { CREATE_POSTING } from '../database.ts'
import type { Database } from '../load-sqlite.ts'
import { compactVectors } from './compact-vectors.ts'

/** Fewer deleted documents are not worth it. */
const MIN_DELETED = 128

/** Whether there are more deleted documents than others. */
export function isCompactionDue(database: Database): boolean {
  const { dead, live } = database
    .prepare(`SELECT value AS dead, (SELECT count(*) FROM item) AS live FROM meta WHERE key = 'dead'`)
    .get() as { dead: number; live: number }
  return dead > MIN_DELETED && dead > live
}

export function compact(database: Database): void {
  const chunks = readChunks(database)
  const numbers = renumber(chunks)
  compactVectors(database, chunks, numbers)
  rewriteChunks(database, chunks, numbers)
  rewriteLists(database, chunks, numbers)
  const moveItem = database.prepare('UPDATE item SET doc = ? WHERE doc = ?')
  const moveBody = database.prepare('UPDATE body SET doc = ? WHERE doc = ?')
  // Ascending, and never to a higher number: the new number is always free.
  for (const [doc, number] of numbers) {
    if (doc === number) continue
    moveItem.run(number, doc)
    moveBody.run(number, doc)
  }
  database.exec(`UPDATE meta SET value = 0 WHERE key = 'dead'`)
}

/** Old number to new number, ascending; deleted documents get none. */
function renumber(chunks: readonly StoredChunk[]): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const { base, types } of chunks) {
    types.forEach((type, offset) => {
      if (type !== 0) numbers.set(base + offset, numbers.size)
    })
  }
  return numbers
}

function rewriteChunks(
  database: Database,
  chunks: readonly StoredChunk[],
  numbers: ReadonlyMap<number, number>,
): void {
  const width = LENGTHS_SIZE
  const types = new Uint8Array(numbers.size)
  const lengths = new Uint8Array(numbers.size * width)
  const keys = new Uint8Array(numbers.size * KEYS_SIZE)
  const oldKeys = readKeys(
    database,
    chunks.reduce((sum, chunk) => sum + chunk.types.length, 0),
  )
  for (const chunk of chunks) {
    chunk.types.forEach((type, offset) => {
      const doc = chunk.base + offset
      const number = numbers.get(doc)
      if (number === undefined) return
      types[number] = type
      keys.set(oldKeys.subarray(doc * KEYS_SIZE, (doc + 1) * KEYS_SIZE), number * KEYS_SIZE)
      lengths.set(chunk.lengths.subarray(offset * width, (offset + 1) * width), number * width)
    })
  }
  database.exec('DELETE FROM chunk')
  const put = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?, ?)')
  for (let base = 0, chunk = 0; base < numbers.size; base += CHUNK_SIZE, chunk++) {
    const end = Math.min(base + CHUNK_SIZE, numbers.size)
    const part = (bytes: Uint8Array, size: number) => bytes.subarray(base * size, end * size)
    put.run(chunk, base, part(types, 1), part(lengths, width), part(keys, KEYS_SIZE))
  }
}

interface ListRow {
  readonly key: number
  readonly heads: Uint8Array
  readonly places: Uint8Array
}

function rewriteLists(
  database: Database,
  chunks: readonly StoredChunk[],
  numbers: ReadonlyMap<number, number>,
): void {
  // The old table is the one that is renamed: SQLite rewrites the statement of a renamed table, and an index whose statements are not
  // ours is discarded when it is opened.
  database.exec(`ALTER TABLE posting RENAME TO outdated; ${CREATE_POSTING}`)
  const insert = database.prepare('INSERT INTO posting VALUES (?, ?, ?)')
  const rewriter = new ListRewriter(chunks, numbers, (key, heads, places) => insert.run(key, heads, places))
  let rows: ListRow[] = []
  for (const row of database.prepare('SELECT key, heads, places FROM outdated ORDER BY key').iterate()) {
    const list = row as unknown as ListRow
    if (rows.length > 0 && termOf(list.key) !== termOf(rows[0]!.key)) {
      rewriter.rewrite(rows)
      rows = []
    }
    rows.push(list)
  }
  rewriter.rewrite(rows)
  database.exec(`
    DROP TABLE outdated;
    DELETE FROM term WHERE NOT ${TERM_HAS_LIST};
  `)
}

/** Rewrites the lists of one term after another. */
class ListRewriter {
  readonly #bases: ReadonlyMap<number, number>
  readonly #numbers: ReadonlyMap<number, number>
  readonly #insert: (key: number, heads: Uint8Array, places: Uint8Array) => void
  readonly #encoder = new ListEncoder()

  constructor(
    chunks: readonly StoredChunk[],
    numbers: ReadonlyMap<number, number>,
    insert: (key: number, heads: Uint8Array, places: Uint8Array) => void,
  ) {
    this.#bases = new Map(chunks.map(({ chunk, base }) => [chunk, base]))
    this.#numbers = numbers
    this.#insert = insert
  }

  rewrite(rows: readonly ListRow[]): void {
    const [first] = rows
    if (!first) return
    const term = termOf(first.key)
    const lists = rows.map(row => ({ ...row, base: this.#bases.get(chunkOf(row.key)) ?? 0 }))
    const postings = decodePostings(lists)
    const { starts, places } = decodeOccurrences(lists, postings)
    let chunk = -1
    postings.docs.forEach((doc, index) => {
      const number = this.#numbers.get(doc)
      if (number === undefined) return
      if (Math.floor(number / CHUNK_SIZE) !== chunk) {
        this.#finish(term, chunk)
        chunk = Math.floor(number / CHUNK_SIZE)
        this.#encoder.clear()
        this.#encoder.begin()
      }
      for (let at = starts[index]!; at < starts[index + 1]!; at++)
        this.#encoder.add(number % CHUNK_SIZE, places[at]!)
    })
    this.#finish(term, chunk)
  }

  #finish(term: number, chunk: number): void {
    if (chunk === -1) return
    const { heads, places } = this.#encoder.finish()
    this.#insert(keyOf(term, chunk), heads, places)
  }
}
