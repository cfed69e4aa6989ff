// Renumbers all documents, and drops deleted ones with their postings, and words that no document has any
// more. This rewrites the whole index, so it waits until there is much to gain. Must be called in a
// transaction.
import { decodeOccurrences, decodePostings } from '../../match/postings/decode-postings.ts'
import { type EncodedList, ListEncoder } from '../../match/postings/encode-postings.ts'
import {
  CHUNK_SIZE,
  chunkOf,
  KEYS_SIZE,
  keyRange,
  LENGTHS_SIZE,
  readChunks,
  readKeys,
  type StoredChunk,
  termOf,
} from '../chunks.ts'
import { CREATE_POSTING, CREATE_SHORT_POSTING } from '../database.ts'
import type { Database } from '../load-sqlite.ts'
import { joinList, rowOf, termAt, visitShortLists } from '../short-lists.ts'
import { type Statement, Statements } from '../statements.ts'
import { compactVectors } from './compact-vectors.ts'
import { ListWriter } from './list-writer.ts'

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

/** Drops terms that no document has any more. */
function rewriteLists(
  database: Database,
  chunks: readonly StoredChunk[],
  numbers: ReadonlyMap<number, number>,
): void {
  // The old tables are the ones that are renamed. SQLite rewrites the statement of a renamed table, and an
  // index whose statements are not ours is discarded when it is opened.
  database.exec(`
    ALTER TABLE posting RENAME TO outdated; ${CREATE_POSTING};
    ALTER TABLE short_posting RENAME TO short_outdated; ${CREATE_SHORT_POSTING};
  `)
  const rewriter = new ListRewriter(database, chunks, numbers)
  const { last } = database.prepare(`SELECT value AS last FROM meta WHERE key = 'last term'`).get() as {
    last: number
  }
  for (let row = 0; row <= rowOf(last); row++) rewriter.rewriteRow(row)
  rewriter.end()
  database.exec('DROP TABLE outdated; DROP TABLE short_outdated')
  database.prepare('DELETE FROM term WHERE id NOT IN (SELECT value FROM json_each(?))').run(rewriter.terms)
}

/** A list of one chunk. */
interface OldList extends EncodedList {
  readonly chunk: number
}

/** Rewrites the lists of one row of terms after another. */
class ListRewriter {
  readonly #bases: ReadonlyMap<number, number>
  readonly #numbers: ReadonlyMap<number, number>
  readonly #long: Statement
  readonly #short: Statement
  /** One for each new chunk: terms come in ascending order. */
  readonly #writers: readonly ListWriter[]
  readonly #encoder = new ListEncoder()
  readonly #terms: number[] = []

  constructor(database: Database, chunks: readonly StoredChunk[], numbers: ReadonlyMap<number, number>) {
    const statements = new Statements(database)
    this.#bases = new Map(chunks.map(({ chunk, base }) => [chunk, base]))
    this.#numbers = numbers
    this.#long = database.prepare('SELECT key, heads, places FROM outdated WHERE key BETWEEN ? AND ?')
    this.#short = database.prepare('SELECT key, lists FROM short_outdated WHERE key BETWEEN ? AND ?')
    const count = Math.ceil(numbers.size / CHUNK_SIZE)
    this.#writers = Array.from({ length: count }, (_, chunk) => new ListWriter(statements, chunk, 0))
  }

  /** The terms that have a list, as JSON. */
  get terms(): string {
    return JSON.stringify(this.#terms)
  }

  rewriteRow(row: number): void {
    const lists = this.#readRow(row)
    for (const term of [...lists.keys()].sort((a, b) => a - b)) this.#rewrite(term, lists.get(term)!)
  }

  end(): void {
    for (const writer of this.#writers) writer.flush()
  }

  #readRow(row: number): Map<number, OldList[]> {
    const lists = new Map<number, OldList[]>()
    const add = (term: number, list: OldList) => lists.set(term, [...(lists.get(term) ?? []), list])
    for (const found of this.#short.all(...keyRange(row))) {
      const { key, lists: bytes } = found as { key: number; lists: Uint8Array }
      visitShortLists(bytes, (slot, list) => add(termAt(row, slot), { ...list, chunk: chunkOf(key) }))
    }
    for (const found of this.#long.all(keyRange(termAt(row, 0))[0], keyRange(termAt(row + 1, 0))[0] - 1)) {
      const { key, ...list } = found as unknown as EncodedList & { readonly key: number }
      add(termOf(key), { ...list, chunk: chunkOf(key) })
    }
    return lists
  }

  #rewrite(term: number, old: readonly OldList[]): void {
    const lists = old
      .map(list => ({ ...list, base: this.#bases.get(list.chunk) ?? 0 }))
      .sort((a, b) => a.base - b.base)
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
    if (chunk !== -1) this.#terms.push(term)
  }

  #finish(term: number, chunk: number): void {
    if (chunk !== -1) this.#writers[chunk]!.add(term, joinList(this.#encoder.finish()))
  }
}
