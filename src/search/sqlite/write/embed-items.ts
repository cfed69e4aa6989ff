// Embeds the items of a space that have no vector of a provider's model yet, in batches at the provider's
// pace. Each batch is stored when it arrives, so that the next run goes on where the last one stopped.
// Vectors are stored by content and model: a moved or copied item keeps its vector.
import { embedNext } from '../../meaning/embed-next.ts'
import { type Embedder, textOfItem } from '../../meaning/embedder.ts'
import { Pace } from '../../meaning/pace.ts'
import { ProviderError } from '../../meaning/provider-error.ts'
import { packedSize, packVector } from '../../rank/vector-table.ts'
import { inTransaction } from '../database.ts'
import type { Database } from '../load-sqlite.ts'
import { VECTORS } from '../read/read-vectors.ts'
import { BEGINNING, readBeginning } from './embedded-text.ts'

/** Times are those of `performance.now()`. */
export interface EmbedBounds {
  /**
   * The length of a question's vector; a stored vector of another length, from another provider, is replaced.
   */
  readonly dimensions: number
  /** No request starts after this. */
  readonly lastStart: number
  /** No request ends after this. */
  readonly deadline: number
  readonly signal?: AbortSignal
  /** Called with how many items got a vector so far, and how many lacked one at the beginning. */
  readonly onProgress?: (done: number, total: number) => void
  /** May be shared by several spaces; a new one by default. */
  readonly pace?: Pace
  /** How long to wait while another process embeds the same items; not at all by default. */
  readonly waitMs?: number
}

export interface Embedded {
  readonly embedded: number
  /** How many items still have none. */
  readonly missing: number
  /** Why it ended before every item had one. */
  readonly problem?: ProviderError
}

/**
 * The row of `meta` with the generation, length and model for which all items have the vectors that they can
 * get.
 */
const EMBEDDED = 'embedded'

/** What `embedItems` looks for. */
interface Wanted {
  readonly model: string
  readonly dimensions: number
}

/** Provides the database while a function runs: it may be replaced while a provider is asked. */
export interface EmbeddedSpace {
  use<T>(run: (database: Database) => T): T
  /** Keeps other processes from asking for the same vectors; undefined while one of them does. */
  hold(waitMs: number, signal: AbortSignal | undefined): Promise<{ release(): void } | undefined>
}

/**
 * Embeds until every item has a vector, no time is left or the provider fails. Throws when the signal is
 * aborted.
 */
export async function embedItems(
  space: EmbeddedSpace,
  embedder: Embedder,
  bounds: EmbedBounds,
): Promise<Embedded> {
  const wanted = { model: embedder.model, dimensions: bounds.dimensions }
  const missing = space.use(database =>
    isEmbedded(database, embeddedState(database, wanted)) ? 0 : countMissing(database, wanted),
  )
  if (missing === 0 || performance.now() > bounds.lastStart) return { embedded: 0, missing }
  const mutex = await space.hold(bounds.waitMs ?? 0, bounds.signal)
  if (!mutex) return { embedded: 0, missing }
  try {
    return await embedMissing(space, embedder, bounds)
  } finally {
    mutex.release()
  }
}

async function embedMissing(
  { use }: EmbeddedSpace,
  embedder: Embedder,
  bounds: EmbedBounds,
): Promise<Embedded> {
  const { dimensions, lastStart, deadline, signal, onProgress, pace = new Pace() } = bounds
  const wanted = { model: embedder.model, dimensions }
  const state = use(database => embeddedState(database, wanted))
  // Counted again: another process may have embedded them while this one waited.
  const total = use(database => countMissing(database, wanted))
  let embedded = 0
  onProgress?.(0, total)
  try {
    for (let after = -1; ; ) {
      const items = use(database => missingVectors(database, wanted, { after, most: pace.size }))
      if (items.length === 0) break
      if (performance.now() > lastStart) return { embedded, missing: total - embedded }
      const texts = items.map(({ text }) => text)
      const vectors = await embedNext(embedder, texts, pace, { deadline, ...(signal && { signal }) })
      checkLength(vectors[0], embedder.model, dimensions)
      const byHash = new Map(vectors.map((vector, at) => [items[at]!.hash, vector]))
      use(database => putVectors(database, embedder.model, byHash))
      // No vectors: the provider refuses the first text, which is skipped.
      after = items[Math.max(1, vectors.length) - 1]!.doc
      embedded += vectors.length
      onProgress?.(Math.min(embedded, total), total)
    }
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown
    return { embedded, missing: Math.max(0, total - embedded), problem: thrown }
  }
  use(database => keepEmbedded(database, state))
  return { embedded, missing: Math.max(0, total - embedded) }
}

/**
 * Vectors of another length would be requested again for every question, and could never be compared with
 * one.
 */
function checkLength(vector: Float32Array | undefined, model: string, dimensions: number): void {
  if (!vector || vector.length === dimensions) return
  throw new ProviderError(model, {
    problem: 'denied',
    text: `expected ${dimensions} numbers, as for the question, got ${vector.length}`,
  })
}

interface StoredText {
  readonly doc: number
  readonly hash: string
  readonly text: string
}

const HAS_NONE = `NOT EXISTS (SELECT 1 FROM vector WHERE vector.hash = item.hash AND model = ? AND length(data) = ?)`

function countMissing(database: Database, { model, dimensions }: Wanted): number {
  const row = database
    .prepare(`SELECT count(DISTINCT hash) AS missing FROM item WHERE ${HAS_NONE}`)
    .get(model, packedSize(dimensions)) as { missing: number }
  return row.missing
}

/** Items without a vector of this model and length, in the order of documents. */
function missingVectors(
  database: Database,
  { model, dimensions }: Wanted,
  { after, most }: { readonly after: number; readonly most: number },
): StoredText[] {
  const rows = database
    .prepare(
      `SELECT doc, item.hash, title, description, ${BEGINNING} AS body
       FROM item JOIN body USING (doc) WHERE doc > ? AND ${HAS_NONE} ORDER BY doc LIMIT ?`,
    )
    .all(after, model, packedSize(dimensions), most) as {
    doc: number
    hash: string
    title: string
    description: string
    body: string | Uint8Array
  }[]
  const hashes = new Set<string>()
  const items: StoredText[] = []
  for (const row of rows) {
    if (!hashes.has(row.hash))
      items.push({ doc: row.doc, hash: row.hash, text: textOfItem(readBeginning(row)) })
    hashes.add(row.hash)
  }
  return items
}

function putVectors(database: Database, model: string, vectors: ReadonlyMap<string, Float32Array>): void {
  if (vectors.size === 0) return
  inTransaction(database, () => {
    const put = database.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?)')
    for (const [hash, vector] of vectors) put.run(hash, model, packVector(vector))
    database.exec(
      `INSERT INTO meta VALUES ('${VECTORS}', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1`,
    )
  })
}

function embeddedState(database: Database, { model, dimensions }: Wanted): string {
  const row = database.prepare(`SELECT value FROM meta WHERE key = 'generation'`).get() as { value: number }
  return `${row.value} ${dimensions} ${model}`
}

/** Whether nothing was written since all items were embedded, so that none has to be looked at. */
function isEmbedded(database: Database, state: string): boolean {
  const row = database.prepare(`SELECT value FROM meta WHERE key = '${EMBEDDED}'`).get() as
    | { value: unknown }
    | undefined
  return row?.value === state
}

function keepEmbedded(database: Database, state: string): void {
  inTransaction(database, () => {
    database.exec('DELETE FROM vector WHERE hash NOT IN (SELECT hash FROM item)')
    database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(EMBEDDED, state)
  })
}
