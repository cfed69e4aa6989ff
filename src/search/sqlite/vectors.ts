// Embeddings of the items of one space, kept beside its index by content and model. Exact: every row is compared.
import { AppError } from '../../base/index.ts'
import type { Embedder } from '../meaning/http-embedder.ts'
import type { VectorTable } from '../rank/cosine.ts'
import type { Database } from './database.ts'

/** What is embedded of an item: its names, and the beginning of its body. */
const MAX_TEXT = 2000
const FLOAT_BYTES = 4
/** Texts of one request: a slow provider manages a few in its time, and a quick one is soon asked for many. */
const BATCH = { first: 8, most: 64 }

/** What the vectors are for, and how long it may take to make them. Moments are those of `performance.now()`. */
export interface EmbedBounds {
  /** As long as the vector of the question: what has another length, as of a changed provider, is made anew. */
  readonly dimensions: number
  /** No request begins after this. */
  readonly lastStart: number
  /** No request lasts beyond this. */
  readonly deadline: number
}

export interface Embedded {
  readonly embedded: number
  readonly complete: boolean
}

interface ItemText {
  readonly hash: string
  readonly text: string
}

/** Items of a database that have no vector of a model and a length yet. */
function missingVectors(
  database: Database,
  { model, dimensions, most }: { readonly model: string; readonly dimensions: number; readonly most: number },
): ItemText[] {
  const rows = database
    .prepare(
      `SELECT item.hash, title, name, description, substr(text, 1, ${MAX_TEXT}) AS text FROM item JOIN body USING (doc)
       WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.hash = item.hash AND model = ? AND length(data) = ?)
       GROUP BY item.hash LIMIT ?`,
    )
    .all(model, dimensions * FLOAT_BYTES, most) as {
    hash: string
    title: string
    name: string
    description: string
    text: string
  }[]
  return rows.map(row => ({
    hash: row.hash,
    text: [row.title, row.name, row.description, row.text].join('\n').slice(0, MAX_TEXT),
  }))
}

function putVectors(database: Database, model: string, vectors: ReadonlyMap<string, Float32Array>): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const put = database.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?)')
    for (const [hash, vector] of vectors) put.run(hash, model, new Uint8Array(vector.buffer.slice(0)))
    database.exec('DELETE FROM vector WHERE hash NOT IN (SELECT hash FROM item)')
    database.exec(`UPDATE meta SET value = value + 1 WHERE key = 'generation'`)
    database.exec('COMMIT')
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
}

/** The vectors of all items that have one of this length. */
export function readVectors(database: Database, model: string, dimensions: number): VectorTable {
  const bytes = dimensions * FLOAT_BYTES
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

/** Embeds what is missing, in batches, until all is done or no time is left. Throws what the embedder throws. */
export async function embedMissing(
  use: <T>(run: (database: Database) => T) => T,
  embedder: Embedder,
  { dimensions, lastStart, deadline }: EmbedBounds,
): Promise<Embedded> {
  const { model } = embedder
  let embedded = 0
  for (let most = BATCH.first; ; most = Math.min(2 * most, BATCH.most)) {
    const missing = use(database => missingVectors(database, { model, dimensions, most }))
    if (missing.length === 0) return { embedded, complete: true }
    if (performance.now() > lastStart) return { embedded, complete: false }
    const texts = missing.map(item => item.text)
    const vectors = await embedder.embed(texts, deadline)
    const length = vectors[0]!.length
    // Kept, they would be asked for again and again: they are no nearer to the question than none.
    if (length !== dimensions)
      throw new AppError(
        'REMOTE_FAILED',
        `embeddings of the model \`${model}\`: expected ${dimensions} numbers, as for the question, got ${length}`,
        { hint: 'search works without embeddings; see `embeddings` in the user configuration' },
      )
    const byHash = new Map(missing.map(({ hash }, index) => [hash, vectors[index]!]))
    use(database => putVectors(database, model, byHash))
    embedded += missing.length
  }
}
