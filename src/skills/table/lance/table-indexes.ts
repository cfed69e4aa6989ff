// Makes the indexes of the table where they pay off. Rows that are not in an index yet are found too, only
// more slowly. So indexes are updated and old versions deleted after many new rows or commits only.
import type { Index, Table } from '@lancedb/lancedb'
import type { Lance } from '../../../lance/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import { SEARCHED, UNSPACED } from './row-schema.ts'

export interface IndexState {
  readonly rows: number
  /** The version of the table when its indexes were last brought up to date; 0 if that is not known. */
  readonly optimizedAt: number
  readonly embedder: TextEmbedder | undefined
  /** How long old versions of the table are kept. */
  readonly keepMs: number
}

/** From this many rows on, a scan costs more than an index lookup. */
const ROWS_FOR_SCALAR = 10_000
const ROWS_FOR_VECTOR = 50_000
/** How many rows may be outside the indexes: a share of all rows, or this number if that is more. */
const UNINDEXED = { part: 0.05, rows: 200 }
const MOST_COMMITS = 16

export async function indexRows(
  lance: Lance,
  table: Table,
  { rows, optimizedAt, embedder, keepMs }: IndexState,
): Promise<{ wrote: boolean; optimizedAt: number }> {
  if (rows === 0) return { wrote: false, optimizedAt }
  const existing = await table.listIndices()
  const columns = new Set(existing.flatMap(index => index.columns))
  const missing = wantedIndexes(lance, rows, embedder).filter(([column]) => !columns.has(column))
  for (const [column, config] of missing) await table.createIndex(column, { config })
  const stats = await Promise.all(existing.map(({ name }) => table.indexStats(name)))
  const unindexed = Math.max(0, ...stats.map(one => one?.numUnindexedRows ?? 0))
  const commits = (await table.version()) - optimizedAt
  const isBehind = unindexed > Math.max(UNINDEXED.rows, rows * UNINDEXED.part) || commits > MOST_COMMITS
  // Goes on after the first write, too: the versions that it leaves behind are as large as the table.
  if (missing.length === 0 && !isBehind) return { wrote: false, optimizedAt }
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - keepMs) })
  return { wrote: true, optimizedAt: await table.version() }
}

function wantedIndexes(
  { Index }: Lance,
  rows: number,
  embedder: TextEmbedder | undefined,
): (readonly [column: string, config: Index])[] {
  const words = { withPosition: false, stem: true, removeStopWords: true, asciiFolding: true }
  const pairs = {
    baseTokenizer: 'ngram',
    ngramMinLength: 1,
    ngramMaxLength: 2,
    withPosition: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
  } as const
  return [
    ...Object.keys(SEARCHED).map(column => [column, Index.fts(words)] as const),
    [UNSPACED, Index.fts(pairs)],
    ...(rows >= ROWS_FOR_SCALAR
      ? ([
          ['id', Index.btree()],
          ['skill_name', Index.btree()],
          ['category', Index.bitmap()],
          ['type', Index.bitmap()],
        ] as const)
      : []),
    ...(rows >= ROWS_FOR_VECTOR && embedder
      ? ([['vector', Index.ivfPq({ distanceType: 'l2' })]] as const)
      : []),
  ]
}
