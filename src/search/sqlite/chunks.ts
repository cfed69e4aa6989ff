// Documents are stored in chunks, and a word has one list of postings for each chunk that has it. Appending a
// few documents rewrites the lists of one chunk only.
import { KEY_NUMBERS } from '../answer/copies.ts'
import { DamagedIndex } from '../match/postings/damaged-index.ts'
import { FIELD_COUNT } from '../match/postings/place.ts'
import type { Database } from './load-sqlite.ts'

/** The most documents in a chunk; their numbers in it are stored in 16 bits. */
export const CHUNK_SIZE = 8192
/** Bytes that the lengths of one document's fields take. */
export const LENGTHS_SIZE = FIELD_COUNT * 4
/** Bytes of the keys by which copies of one document are found. */
export const KEYS_SIZE = KEY_NUMBERS * 4

/** The lists of one term have consecutive keys. */
const KEYS_PER_TERM = 2 ** 20

export interface StoredChunk {
  readonly chunk: number
  /** The number of its first document. */
  readonly base: number
  /** The type of each document; 0 for one that was deleted. */
  readonly types: Uint8Array
  /** The length of each field of each document, as 32-bit numbers. */
  readonly lengths: Uint8Array
}

export function readChunks(database: Database): StoredChunk[] {
  const select = database.prepare('SELECT chunk, base, types, lengths FROM chunk ORDER BY chunk')
  const chunks = select.all() as unknown as StoredChunk[]
  for (const { types, lengths } of chunks) checkLengths(lengths, types.length)
  return chunks
}

export function checkLengths(lengths: Uint8Array, documents: number): void {
  if (lengths.length !== documents * LENGTHS_SIZE) throw new DamagedIndex('a chunk is cut')
}

/** The keys by which copies are found, by document number. */
export function readKeys(database: Database, documents: number): Uint8Array {
  const rows = database.prepare('SELECT base, keys FROM chunk ORDER BY chunk').all() as unknown as {
    readonly base: number
    readonly keys: Uint8Array
  }[]
  const all = new Uint8Array(documents * KEYS_SIZE)
  let next = 0
  for (const { base, keys } of rows) {
    if (base !== next) throw new DamagedIndex('a chunk is missing')
    all.set(keys, base * KEYS_SIZE)
    next += keys.length / KEYS_SIZE
  }
  if (next !== documents) throw new DamagedIndex('keys of copies are cut')
  return all
}

/** The key of the list of a term in a chunk. */
export function keyOf(term: number, chunk: number): number {
  return term * KEYS_PER_TERM + chunk
}

/** The first and the last key that a term can have. */
export function keyRange(term: number): [number, number] {
  return [keyOf(term, 0), keyOf(term, KEYS_PER_TERM - 1)]
}

export function termOf(key: number): number {
  return Math.floor(key / KEYS_PER_TERM)
}

export function chunkOf(key: number): number {
  return key % KEYS_PER_TERM
}
