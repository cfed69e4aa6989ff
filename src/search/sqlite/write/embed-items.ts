// Embeds the items of a space that have no vector yet. Vectors are stored by content and model, so that a moved or copied
// item keeps its own.
import { AppError } from '../../../base/index.ts'
import { EMBEDDED_BODY, type Embedder, textOfItem } from '../../meaning/embedder.ts'
import { packedSize, packVector } from '../../rank/vector-table.ts'
import { inTransaction } from '../database.ts'
import type { Database } from '../load-sqlite.ts'

/** Texts in one request. It begins with a few, which a slow provider can manage in time, and doubles. */
const BATCH = { first: 8, most: 64 }

/** Times are those of `performance.now()`. */
export interface EmbedBounds {
  /** The length of the question's vector; a stored vector of another length, from another provider, is replaced. */
  readonly dimensions: number
  /** No request starts after this. */
  readonly lastStart: number
  /** No request ends after this. */
  readonly deadline: number
}

export interface Embedded {
  readonly embedded: number
  readonly complete: boolean
}

/** Embeds in batches until every item has a vector or no time is left. Throws what the embedder throws. */
export async function embedItems(
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
    // If they were stored, they would be requested again for every question, and never be comparable with one.
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

interface ItemText {
  readonly hash: string
  readonly text: string
}

/** Items without a vector of this model and length. */
function missingVectors(
  database: Database,
  { model, dimensions, most }: { readonly model: string; readonly dimensions: number; readonly most: number },
): ItemText[] {
  const rows = database
    .prepare(
      `SELECT item.hash, title, description, substr(text, 1, ${EMBEDDED_BODY}) AS body FROM item JOIN body USING (doc)
       WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.hash = item.hash AND model = ? AND length(data) = ?)
       GROUP BY item.hash LIMIT ?`,
    )
    .all(model, packedSize(dimensions), most) as {
    hash: string
    title: string
    description: string
    body: string
  }[]
  return rows.map(row => ({ hash: row.hash, text: textOfItem(row) }))
}

function putVectors(database: Database, model: string, vectors: ReadonlyMap<string, Float32Array>): void {
  inTransaction(database, () => {
    const put = database.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?)')
    for (const [hash, vector] of vectors) put.run(hash, model, packVector(vector))
    database.exec('DELETE FROM vector WHERE hash NOT IN (SELECT hash FROM item)')
    database.exec(`UPDATE meta SET value = value + 1 WHERE key = 'generation'`)
  })
}
