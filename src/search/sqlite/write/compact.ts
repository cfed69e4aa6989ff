// Numbers all documents anew and leaves out the dead ones: their entries in lists, and words that nobody has any more.
// One pass over the whole index, so it waits until there is a lot to gain. Part of the transaction that calls it.

import { SEARCH_FIELDS } from '../../../query/index.ts'
import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import {
  CHUNK_KEYS,
  CHUNK_SIZE,
  decodeOccurrences,
  decodePostings,
  ListEncoder,
} from '../../match/postings/posting-codec.ts'
import type { Database } from '../database.ts'

const FIELDS = SEARCH_FIELDS.length
/** Below this nothing is gained worth the trouble. */
const FEW = 128

/** Whether there are more dead documents than living ones. */
export function isWorthwhile(database: Database): boolean {
  const { dead, live } = database
    .prepare(`SELECT value AS dead, (SELECT count(*) FROM item) AS live FROM meta WHERE key = 'dead'`)
    .get() as { dead: number; live: number }
  return dead > FEW && dead > live
}

export function compact(database: Database): void {
  const chunks = readChunks(database)
  const numbers = numberLiving(chunks)
  rewriteChunks(database, chunks, numbers)
  rewriteLists(database, chunks, numbers)
  const moveItem = database.prepare('UPDATE item SET doc = ? WHERE doc = ?')
  const moveBody = database.prepare('UPDATE body SET doc = ? WHERE doc = ?')
  // Ascending, and never to a higher number: the new place of a row is always free.
  for (const [doc, number] of numbers) {
    if (doc === number) continue
    moveItem.run(number, doc)
    moveBody.run(number, doc)
  }
  database.exec(`UPDATE meta SET value = 0 WHERE key = 'dead'`)
}

interface StoredChunk {
  readonly chunk: number
  readonly base: number
  readonly types: Uint8Array
  readonly lengths: Uint8Array
}

function readChunks(database: Database): Map<number, StoredChunk> {
  const rows = database.prepare('SELECT * FROM chunk ORDER BY chunk').all() as unknown as StoredChunk[]
  if (rows.some(row => row.lengths.length !== row.types.length * FIELDS * 4))
    throw new DamagedIndex('a chunk is cut')
  return new Map(rows.map(row => [row.chunk, row]))
}

/** Old number to new number, ascending. */
function numberLiving(chunks: ReadonlyMap<number, StoredChunk>): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const { base, types } of chunks.values()) {
    types.forEach((type, offset) => {
      if (type !== 0) numbers.set(base + offset, numbers.size)
    })
  }
  return numbers
}

function rewriteChunks(
  database: Database,
  chunks: ReadonlyMap<number, StoredChunk>,
  numbers: ReadonlyMap<number, number>,
): void {
  const width = FIELDS * 4
  const types = new Uint8Array(numbers.size)
  const lengths = new Uint8Array(numbers.size * width)
  for (const chunk of chunks.values()) {
    chunk.types.forEach((type, offset) => {
      const number = numbers.get(chunk.base + offset)
      if (number === undefined) return
      types[number] = type
      lengths.set(chunk.lengths.subarray(offset * width, (offset + 1) * width), number * width)
    })
  }
  database.exec('DELETE FROM chunk')
  const put = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?)')
  for (let base = 0, chunk = 0; base < numbers.size; base += CHUNK_SIZE, chunk++) {
    const end = Math.min(base + CHUNK_SIZE, numbers.size)
    put.run(chunk, base, types.subarray(base, end), lengths.subarray(base * width, end * width))
  }
}

interface ListRow {
  readonly key: number
  readonly heads: Uint8Array
  readonly places: Uint8Array
}

function rewriteLists(
  database: Database,
  chunks: ReadonlyMap<number, StoredChunk>,
  numbers: ReadonlyMap<number, number>,
): void {
  database.exec('CREATE TABLE compacted (key INTEGER PRIMARY KEY, heads BLOB NOT NULL, places BLOB NOT NULL)')
  const put = database.prepare('INSERT INTO compacted VALUES (?, ?, ?)')
  const encoder = new ListEncoder()
  let rows: ListRow[] = []
  const flush = () => {
    const term = Math.floor((rows[0]?.key ?? 0) / CHUNK_KEYS)
    const lists = rows.map(row => ({ ...row, base: chunks.get(row.key % CHUNK_KEYS)?.base ?? 0 }))
    const postings = decodePostings(lists)
    const { starts, places } = decodeOccurrences(lists, postings)
    let chunk = -1
    const finish = () => {
      if (chunk === -1) return
      const list = encoder.finish()
      put.run(term * CHUNK_KEYS + chunk, list.heads, list.places)
    }
    postings.docs.forEach((doc, index) => {
      const number = numbers.get(doc)
      if (number === undefined) return
      if (Math.floor(number / CHUNK_SIZE) !== chunk) {
        finish()
        chunk = Math.floor(number / CHUNK_SIZE)
        encoder.clear()
        encoder.begin()
      }
      for (let at = starts[index]!; at < starts[index + 1]!; at++)
        encoder.add(number % CHUNK_SIZE, places[at]!)
    })
    finish()
    rows = []
  }
  for (const row of database.prepare('SELECT key, heads, places FROM posting ORDER BY key').iterate()) {
    const list = row as unknown as ListRow
    if (rows.length > 0 && Math.floor(list.key / CHUNK_KEYS) !== Math.floor(rows[0]!.key / CHUNK_KEYS))
      flush()
    rows.push(list)
  }
  flush()
  database.exec(`
    DROP TABLE posting;
    ALTER TABLE compacted RENAME TO posting;
    DELETE FROM term WHERE NOT EXISTS
      (SELECT 1 FROM posting WHERE key BETWEEN term.id * ${CHUNK_KEYS} AND term.id * ${CHUNK_KEYS} + ${CHUNK_KEYS - 1});
  `)
}
