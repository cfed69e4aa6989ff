// Reads the stored vectors of a space. Those of a local model are packed by chunk; those of a provider are
// stored one for each content.

import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import { signatureSize } from '../../rank/signatures.ts'
import { packedSignature, packedSize, VectorTable } from '../../rank/vector-table.ts'
import type { Database } from '../load-sqlite.ts'
import type { Statements } from '../statements.ts'

export interface VectorsWanted {
  readonly model: string
  readonly dimensions: number
  /** How many documents the space has, including deleted ones. */
  readonly capacity: number
}

/** The row of `meta` that every batch of a provider's vectors raises, since they change no document. */
export const VECTORS = 'vectors'

export function vectorsVersion(statements: Statements): number {
  const row = statements.get(`SELECT value FROM meta WHERE key = '${VECTORS}'`).get() as
    | { value: number }
    | undefined
  return row?.value ?? 0
}

/** The vectors of all documents that have one of this model and length. */
export function readVectors(database: Database, wanted: VectorsWanted): VectorTable {
  const packed = readPacked(database, wanted)
  return packed.isEmpty ? readByContent(database, wanted) : packed
}

interface PackedChunk {
  readonly base: number
  readonly documents: number
  readonly signatures: Uint8Array
  readonly vectors: Uint8Array
}

function readPacked(database: Database, { model, dimensions, capacity }: VectorsWanted): VectorTable {
  const chunks = database
    .prepare(
      `SELECT base, length(types) AS documents, signatures, vectors FROM meaning JOIN chunk USING (chunk)
       WHERE model = ? ORDER BY chunk`,
    )
    .all(model) as unknown as PackedChunk[]
  const table = new VectorTable(chunks.length === 0 ? 0 : capacity, dimensions)
  for (const { base, documents, signatures, vectors } of chunks) {
    const count = vectors.length / packedSize(dimensions)
    if (count > documents || signatures.length !== count * signatureSize(dimensions))
      throw new DamagedIndex('vectors are cut')
    table.put(base, vectors, signatures)
  }
  return table
}

function readByContent(database: Database, { model, dimensions, capacity }: VectorsWanted): VectorTable {
  const rows = database
    .prepare('SELECT doc, data FROM item JOIN vector USING (hash) WHERE model = ? AND length(data) = ?')
    .all(model, packedSize(dimensions)) as { doc: number; data: Uint8Array }[]
  const table = new VectorTable(rows.length === 0 ? 0 : capacity, dimensions)
  for (const { doc, data } of rows) table.put(doc, data, packedSignature(data, dimensions))
  return table
}
