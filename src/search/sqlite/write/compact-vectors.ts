// Moves the packed vectors of documents that get new numbers. They can be made again, so if any are missing,
// all are dropped.
import { CHUNK_SIZE, type StoredChunk } from '../chunks.ts'
import type { Database } from '../load-sqlite.ts'

interface StoredVectors {
  readonly chunk: number
  readonly model: string
  readonly signatures: Uint8Array
  readonly vectors: Uint8Array
}

/** `chunks` are the old ones; `numbers` has the new number of each document that is kept, ascending. */
export function compactVectors(
  database: Database,
  chunks: readonly StoredChunk[],
  numbers: ReadonlyMap<number, number>,
): void {
  const stored = database
    .prepare('SELECT chunk, model, signatures, vectors FROM meaning')
    .all() as unknown as StoredVectors[]
  database.exec('DELETE FROM meaning')
  const [first] = stored
  const firstSize = chunks.find(({ chunk }) => chunk === first?.chunk)?.types.length
  if (!first || !firstSize) return
  const sizes = {
    signatures: first.signatures.length / firstSize,
    vectors: first.vectors.length / firstSize,
  }
  const signatures = new Uint8Array(numbers.size * sizes.signatures)
  const vectors = new Uint8Array(numbers.size * sizes.vectors)
  for (const { chunk, base, types } of chunks) {
    const found = stored.find(one => one.chunk === chunk && one.model === first.model)
    if (found?.vectors.length !== types.length * sizes.vectors) return
    types.forEach((_, offset) => {
      const number = numbers.get(base + offset)
      if (number === undefined) return
      move(found.signatures, offset, signatures, number, sizes.signatures)
      move(found.vectors, offset, vectors, number, sizes.vectors)
    })
  }
  const put = database.prepare('INSERT INTO meaning VALUES (?, ?, ?, ?)')
  for (let base = 0, chunk = 0; base < numbers.size; base += CHUNK_SIZE, chunk++) {
    const part = (bytes: Uint8Array, size: number) => bytes.subarray(base * size, (base + CHUNK_SIZE) * size)
    put.run(chunk, first.model, part(signatures, sizes.signatures), part(vectors, sizes.vectors))
  }
}

function move(from: Uint8Array, row: number, to: Uint8Array, number: number, size: number): void {
  to.set(from.subarray(row * size, (row + 1) * size), number * size)
}
