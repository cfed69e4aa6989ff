// The stored vectors of a space. Every one is compared with the question's, so the ranking is exact.
import type { VectorTable } from '../../rank/cosine.ts'
import type { Database } from '../load-sqlite.ts'

/** The vectors of all items that have one of this model and length. */
export function readVectors(database: Database, model: string, dimensions: number): VectorTable {
  const bytes = dimensions * Float32Array.BYTES_PER_ELEMENT
  const rows = database
    .prepare(
      'SELECT doc, data FROM item JOIN vector USING (hash) WHERE model = ? AND length(data) = ? ORDER BY doc',
    )
    .all(model, bytes) as { doc: number; data: Uint8Array }[]
  const values = new Uint8Array(bytes * rows.length)
  rows.forEach(({ data }, row) => {
    values.set(data, row * bytes)
  })
  return {
    docs: Uint32Array.from(rows, row => row.doc),
    rows: new Float32Array(values.buffer),
    dimensions,
  }
}
