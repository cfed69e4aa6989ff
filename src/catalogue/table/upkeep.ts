// What keeps a table quick: its indexes, made where they pay, fragments joined, old versions deleted, and how many items have each
// word, counted anew when many have changed. Rows that no index has yet are found as well, only slower.
import type { Index, Table } from '@lancedb/lancedb'
import { findTable, isConflict, makeBatch, type OpenLance } from '../../lance/index.ts'
import { OBJECTS, WORDS, wordsSchema } from './columns.ts'

/** From so many rows on a scan costs more than looking into an index. */
const ROWS_FOR_SCALAR = 10_000
const ROWS_FOR_VECTOR = 20_000
/** Rows outside of the indexes: the part of all, and the number that is never too many. */
const UNINDEXED = { part: 0.05, rows: 500 }
const MOST_FRAGMENTS = 64
/** Others may be reading or writing a version that is not the newest. */
const KEEP_MS = 600_000
/** An item whose row is not there yet may have been written by a sync that is still running. */
const KEEP_OBJECTS_MS = 24 * 3_600_000
/** A word that fewer items have counts as theirs alone. */
const LEAST_HOLDERS = 2
const MOST_WORDS = 2_000_000
/** In the table of words, for the number of items. */
export const ALL_ITEMS = '*'

/** Two writers may do this at once: who comes second leaves it to the next sync. */
export async function keepUp(open: OpenLance, table: Table): Promise<void> {
  try {
    const { rows, isBehind } = await stateOfIndexes(table)
    if (rows === 0) return
    const missing = await missingIndexes(open, table, rows)
    for (const [column, config] of missing) await table.createIndex(column, { config })
    const { fragmentStats } = await table.stats()
    if (missing.length === 0 && !isBehind && fragmentStats.numSmallFragments <= MOST_FRAGMENTS) return
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) })
    if (isBehind || missing.length > 0) await countWords(open, table)
    await dropObjects(open, table)
  } catch (thrown) {
    if (!isConflict(thrown)) throw thrown
  }
}

export interface IndexState {
  readonly rows: number
  /** Rows that are not in every index. */
  readonly unindexed: number
  readonly isBehind: boolean
}

export async function stateOfIndexes(table: Table): Promise<IndexState> {
  const [rows, indexes] = await Promise.all([table.countRows(), table.listIndices()])
  const stats = await Promise.all(indexes.map(({ name }) => table.indexStats(name)))
  const unindexed = indexes.length === 0 ? rows : Math.max(0, ...stats.map(one => one?.numUnindexedRows ?? 0))
  return { rows, unindexed, isBehind: unindexed > Math.max(UNINDEXED.rows, rows * UNINDEXED.part) }
}

async function missingIndexes(
  { lance }: OpenLance,
  table: Table,
  rows: number,
): Promise<(readonly [column: string, config: Index])[]> {
  const { Index } = lance
  const words = Index.fts({
    ...{ baseTokenizer: 'whitespace', withPosition: false, lowercase: false, stem: false },
    ...{ removeStopWords: false, asciiFolding: false, maxTokenLength: 300 },
  })
  const wanted = [
    ['words', words],
    ...(rows >= ROWS_FOR_SCALAR
      ? ([
          ['key', Index.btree()],
          ['id', Index.btree()],
          ['digest', Index.btree()],
          ['root', Index.bitmap()],
          ['type', Index.bitmap()],
        ] as const)
      : []),
    ...(rows >= ROWS_FOR_VECTOR ? ([['vector', Index.ivfPq({ distanceType: 'dot' })]] as const) : []),
  ] as const
  const columns = new Set((await table.listIndices()).flatMap(index => index.columns))
  return wanted.filter(([column]) => !columns.has(column))
}

/** In batches: the words of a million items do not fit into memory. */
async function countWords(open: OpenLance, table: Table): Promise<void> {
  const { arrow, connection } = open
  const holders = new Map<string, number>()
  let items = 0
  for await (const batch of table.query().select(['words'])) {
    const column = batch.getChild('words')
    for (let row = 0; row < batch.numRows; row++) {
      items++
      for (const word of new Set(String(column?.get(row)).split(' '))) {
        if (holders.size < MOST_WORDS || holders.has(word)) holders.set(word, (holders.get(word) ?? 0) + 1)
      }
    }
  }
  const rows = [...holders]
    .filter(([word, count]) => count >= LEAST_HOLDERS && !/^[=#]/.test(word))
    .map(([word, count]) => ({ word, holders: count }))
  const data = makeBatch(arrow, wordsSchema(arrow), [{ word: ALL_ITEMS, holders: items }, ...rows])
  const counted = await connection.createTable(WORDS, data, { mode: 'overwrite' })
  try {
    if (rows.length >= ROWS_FOR_SCALAR)
      await counted.createIndex('word', { config: open.lance.Index.btree() })
    await counted.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) })
  } finally {
    counted.close()
  }
}

/** Large items that no row has any more. */
async function dropObjects({ connection }: OpenLance, table: Table): Promise<void> {
  const objects = await findTable(connection, OBJECTS)
  if (!objects) return
  try {
    const old = `written < ${Date.now() - KEEP_OBJECTS_MS}`
    const kept = await objects.query().select(['digest']).where(old).toArray()
    const rows = await table.query().select(['digest']).where('bytes IS NULL').toArray()
    const used = new Set(rows.map(row => String(row.digest)))
    const unused = [...new Set(kept.map(row => String(row.digest)))].filter(
      digest => /^[0-9a-f]{64}$/.test(digest) && !used.has(digest),
    )
    if (unused.length > 0)
      await objects.delete(`${old} AND digest IN (${unused.map(digest => `'${digest}'`).join(', ')})`)
    await objects.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) })
  } finally {
    objects.close()
  }
}
