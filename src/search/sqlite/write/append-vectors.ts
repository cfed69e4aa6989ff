// Adds the vectors of a local model for the documents that have none yet. New documents are appended to a
// chunk, and so are their vectors. Must be called in a transaction.
import { DamagedIndex } from '../../match/postings/damaged-index.ts'
import type { LocalEmbedder } from '../../meaning/embedder.ts'
import { signatureSize } from '../../rank/signatures.ts'
import { packedSignature, packedSize, packVector } from '../../rank/vector-table.ts'
import type { Database } from '../load-sqlite.ts'
import { BEGINNING, readBeginning } from './embedded-text.ts'

interface ChunkState {
  readonly chunk: number
  readonly base: number
  readonly documents: number
  /** Bytes of the vectors that it has of this model. */
  readonly bytes: number
}

/** How many documents have no place yet among the vectors of a model. */
export function countMissing(database: Database, { model, dimensions }: LocalEmbedder): number {
  return chunkStates(database, model).reduce(
    (sum, { documents, bytes }) => sum + documents - bytes / packedSize(dimensions),
    0,
  )
}

/**
 * Vectors in `ready` are not made again. They are packed, by document number, and undefined for a text when
 * the embedder knows none of its words.
 */
export function appendVectors(
  database: Database,
  embedder: LocalEmbedder,
  ready: ReadonlyMap<number, Uint8Array | undefined> = new Map(),
): void {
  const { model, dimensions } = embedder
  const size = packedSize(dimensions)
  const find = database.prepare('SELECT signatures, vectors FROM meaning WHERE chunk = ? AND model = ?')
  const put = database.prepare('INSERT OR REPLACE INTO meaning VALUES (?, ?, ?, ?)')
  for (const { chunk, base, documents, bytes } of chunkStates(database, model)) {
    const known = bytes / size
    if (known === documents) continue
    const vectors = new Uint8Array(documents * size)
    const signatures = new Uint8Array(documents * signatureSize(dimensions))
    if (known > 0) {
      const old = find.get(chunk, model) as { signatures: Uint8Array; vectors: Uint8Array }
      vectors.set(old.vectors)
      signatures.set(old.signatures)
    }
    const keep = (doc: number, packed: Uint8Array) => {
      vectors.set(packed, (doc - base) * size)
      signatures.set(packedSignature(packed, dimensions), (doc - base) * signatureSize(dimensions))
    }
    let first = base + known
    for (; first < base + documents && ready.has(first); first++) {
      const packed = ready.get(first)
      if (packed) keep(first, packed)
    }
    for (const { doc, ...text } of textsBetween(database, first, base + documents)) {
      const vector = embedder.embedItem(text)
      if (vector) keep(doc, packVector(vector))
    }
    put.run(chunk, model, signatures, vectors)
  }
}

function chunkStates(database: Database, model: string): ChunkState[] {
  return database
    .prepare(
      `SELECT chunk.chunk, base, length(types) AS documents, coalesce(length(vectors), 0) AS bytes
       FROM chunk LEFT JOIN meaning ON meaning.chunk = chunk.chunk AND model = ? ORDER BY chunk.chunk`,
    )
    .all(model) as unknown as ChunkState[]
}

interface StoredText {
  readonly doc: number
  readonly title: string
  readonly description: string
  readonly body: string | Uint8Array
}

function textsBetween(database: Database, first: number, end: number) {
  if (!Number.isInteger(first)) throw new DamagedIndex('vectors are cut')
  return database
    .prepare(
      `SELECT doc, title, description, ${BEGINNING} AS body
       FROM item JOIN body USING (doc) WHERE doc >= ? AND doc < ?`,
    )
    .all(first, end)
    .map(row => readBeginning(row as StoredText))
}
