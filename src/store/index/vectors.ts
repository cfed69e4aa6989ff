// Embeddings of the items of one space, kept beside its index by content and model. Exact: every row is compared.
import { unitVector, type VectorTable } from '../../search/index.ts'
import type { Embedder } from '../embedder.ts'
import type { Database } from './database.ts'

/** What is embedded of an item: its names, and the beginning of its body. */
const MAX_TEXT = 2000
const BATCH = 64

/** Items of a database that have no vector of a model yet. */
export function missingVectors(
  database: Database,
  model: string,
  most: number,
): { hash: string; text: string }[] {
  const rows = database
    .prepare(
      `SELECT item.hash, title, name, description, substr(text, 1, ${MAX_TEXT}) AS text FROM item JOIN body USING (doc)
       WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.hash = item.hash AND model = ?) GROUP BY item.hash LIMIT ?`,
    )
    .all(model, most) as { hash: string; title: string; name: string; description: string; text: string }[]
  return rows.map(row => ({
    hash: row.hash,
    text: [row.title, row.name, row.description, row.text].join('\n').slice(0, MAX_TEXT),
  }))
}

export function putVectors(
  database: Database,
  model: string,
  vectors: ReadonlyMap<string, Float32Array>,
): void {
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

/** The vectors of all items that have one; rows of another length than the first, as of a changed model, are left out. */
export function readVectors(database: Database, model: string): VectorTable {
  const rows = database
    .prepare('SELECT doc, data FROM item JOIN vector USING (hash) WHERE model = ? ORDER BY doc')
    .all(model) as { doc: number; data: Uint8Array }[]
  const bytes = rows[0]?.data.length ?? 0
  const fitting = rows.filter(row => row.data.length === bytes && bytes % 4 === 0)
  const values = new Uint8Array(bytes * fitting.length)
  fitting.forEach(({ data }, row) => {
    values.set(data, row * bytes)
  })
  return {
    docs: Uint32Array.from(fitting, row => row.doc),
    rows: new Float32Array(values.buffer),
    dimensions: bytes / 4,
  }
}

/** Embeds what is missing, in batches, until all is done or the deadline passes. Throws what the embedder throws. */
export async function embedMissing(
  use: <T>(run: (database: Database) => T) => T,
  embedder: Embedder,
  deadline: number,
): Promise<{ embedded: number; complete: boolean }> {
  let embedded = 0
  while (true) {
    const missing = use(database => missingVectors(database, embedder.model, BATCH))
    if (missing.length === 0) return { embedded, complete: true }
    if (embedded > 0 && performance.now() > deadline) return { embedded, complete: false }
    const vectors = await embedder.embed(missing.map(item => item.text))
    const byHash = new Map(missing.map(({ hash }, index) => [hash, unitVector(vectors[index]!)!]))
    use(database => putVectors(database, embedder.model, byHash))
    embedded += missing.length
  }
}
