// Keeps a table fast: makes indexes where they pay off, joins fragments, deletes old versions, and recounts
// how many items contain each word after many have changed. Rows that are not indexed yet are found too, only
// more slowly.
import type { Index, Table } from '@lancedb/lancedb'
import { findTable, isConflict, makeBatch, type OpenLance, quoteSql } from '../../lance/index.ts'
import { OBJECTS, WORDS, wordsSchema } from './columns.ts'

/** With this many rows, a scan costs more than an index lookup. */
const ROWS_FOR_SCALAR = 10_000
const ROWS_FOR_VECTOR = 20_000
const ROWS_IN_PART = 4000
/** Limits of unindexed rows: the share of all rows, and a number that is always acceptable. */
const UNINDEXED = { part: 0.05, rows: 500 }
/** Limits of small fragments: `few`, plus one for every `rows` rows. One sync writes about that many. */
const FRAGMENTS = { few: 64, rows: 4000 }
/** Other processes may be reading or writing a version that is not the newest. */
const KEEP_MS = 600_000
/** A large item without a row may have been written by a sync that is still running. */
const KEEP_OBJECTS_MS = 24 * 3_600_000
/** A word in fewer items than this is not counted: it is treated as belonging to them alone. */
const LEAST_HOLDERS = 2
const MOST_WORDS = 2_000_000
/** How many items are sampled to count words, and in how many slices. */
const COUNTED = 100_000
const SLICES = 20
const DIGEST = /^[0-9a-f]{64}$/
/** Number of digests in one query. */
const AT_ONCE = 500
/** The entry in the table of words that holds the number of items. */
export const ALL_ITEMS = '*'

/** Two writers may do this at once: the second one leaves it to the next sync. */
export async function keepUp(open: OpenLance, table: Table): Promise<void> {
  try {
    const { rows, isBehind } = await stateOfIndexes(table)
    if (rows === 0) return
    const missing = await missingIndexes(open, table, rows)
    const { fragmentStats } = await table.stats()
    const isScattered = fragmentStats.numSmallFragments > FRAGMENTS.few + rows / FRAGMENTS.rows
    if (missing.length === 0 && !isBehind && !isScattered) return
    // This must come before making indexes: joining fragments moves rows, and an index would have to be
    // updated.
    if (isScattered || missing.length === 0) await optimize(table)
    for (const [column, config] of missing) await table.createIndex(column, { config })
    if (isBehind || missing.length > 0) await countWords(open, table, rows)
    await dropObjects(open, table)
  } catch (thrown) {
    if (!isConflict(thrown)) throw thrown
  }
}

async function optimize(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) })
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
  // RaBitQ stores the signs of vectors. It builds in a tenth of the time of product quantisation, and finds
  // as much.
  const vectors = Index.ivfRq({ distanceType: 'dot', numPartitions: Math.ceil(rows / ROWS_IN_PART) })
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
    ...(rows >= ROWS_FOR_VECTOR ? ([['vector', vectors]] as const) : []),
  ] as const
  const columns = new Set((await table.listIndices()).flatMap(index => index.columns))
  return wanted.filter(([column]) => !columns.has(column))
}

/** Samples a large table evenly, taking enough items to tell how rare a word is. */
async function countWords(open: OpenLance, table: Table, total: number): Promise<void> {
  const { arrow, connection } = open
  const holders = new Map<string, number>()
  let items = 0
  const slices = total <= COUNTED ? 1 : SLICES
  for (let slice = 0; slice < slices; slice++) {
    const part = table.query().select(['words'])
    const first = Math.floor((slice * total) / slices)
    for await (const batch of slices === 1 ? part : part.offset(first).limit(COUNTED / slices)) {
      const column = batch.getChild('words')
      for (let row = 0; row < batch.numRows; row++, items++) {
        for (const word of new Set(String(column?.get(row)).split(' '))) {
          // Words with these prefixes are names and ids, which belong to one item each.
          if (word.startsWith('=') || word.startsWith('#')) continue
          const count = holders.get(word)
          if (count !== undefined) holders.set(word, count + 1)
          // Copied, because a slice would keep the words of the whole item in memory.
          else if (holders.size < MOST_WORDS) holders.set(Buffer.from(word).toString(), 1)
        }
      }
    }
  }
  const scale = Math.max(1, total / Math.max(1, items))
  const rows = [...holders]
    .filter(([, count]) => count >= LEAST_HOLDERS)
    .map(([word, count]) => ({ word, holders: Math.round(count * scale) }))
  const data = makeBatch(arrow, wordsSchema(arrow), [{ word: ALL_ITEMS, holders: total }, ...rows])
  const counted = await connection.createTable(WORDS, data, { mode: 'overwrite' })
  try {
    if (rows.length >= ROWS_FOR_SCALAR)
      await counted.createIndex('word', { config: open.lance.Index.btree() })
    await optimize(counted)
  } finally {
    counted.close()
  }
}

/** Deletes large items that no row refers to any more. */
async function dropObjects({ connection }: OpenLance, table: Table): Promise<void> {
  const objects = await findTable(connection, OBJECTS)
  if (!objects) return
  try {
    const old = `written < ${Date.now() - KEEP_OBJECTS_MS}`
    const unused: string[] = []
    for await (const batch of objects.query().select(['digest']).where(old)) {
      const digests = Array.from(batch.getChild('digest') ?? [], String).filter(digest => DIGEST.test(digest))
      for (let from = 0; from < digests.length; from += AT_ONCE) {
        const some = digests.slice(from, from + AT_ONCE)
        const rows = await table.query().select(['digest']).where(oneOf(some)).toArrow()
        const used = new Set(Array.from(rows.getChild('digest') ?? [], String))
        unused.push(...some.filter(digest => !used.has(digest)))
      }
    }
    for (let from = 0; from < unused.length; from += AT_ONCE)
      await objects.delete(`${old} AND ${oneOf(unused.slice(from, from + AT_ONCE))}`)
    await optimize(objects)
  } finally {
    objects.close()
  }
}

function oneOf(digests: readonly string[]): string {
  return `digest IN (${digests.map(quoteSql).join(', ')})`
}
