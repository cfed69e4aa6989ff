// The types and lengths of all documents of a space, by document number.
import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import { FIELD_COUNT } from '../../match/postings/place.ts'
import type { DocumentTable } from '../../rank/score.ts'
import { LENGTHS_SIZE, readChunks } from '../chunks.ts'
import type { Database } from '../load-sqlite.ts'

export interface StoredTable extends DocumentTable {
  /** The number of the first document of each chunk. */
  readonly bases: ReadonlyMap<number, number>
}

export function readTable(database: Database): StoredTable {
  const chunks = readChunks(database)
  const last = chunks.at(-1)
  const capacity = last ? last.base + last.types.length : 0
  const types = new Uint8Array(capacity)
  const lengths = new Uint32Array(capacity * FIELD_COUNT)
  const bytes = new Uint8Array(lengths.buffer)
  const bases = new Map<number, number>()
  let next = 0
  for (const chunk of chunks) {
    if (chunk.base !== next) throw new DamagedIndex('a chunk is missing')
    bases.set(chunk.chunk, chunk.base)
    types.set(chunk.types, chunk.base)
    bytes.set(chunk.lengths, chunk.base * LENGTHS_SIZE)
    next += chunk.types.length
  }
  return { types, lengths, bases }
}
