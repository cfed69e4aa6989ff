// How many items there are, and how many have a word: as of the last time that they were counted. A word that was not counted is rare.
import type { Table } from '@lancedb/lancedb'
import { findTable, type OpenLance, quoteSql } from '../../lance/index.ts'
import type { CollectionStatistics } from '../../search/index.ts'
import { WORDS } from './columns.ts'
import { ALL_ITEMS } from './upkeep.ts'

export async function readStatistics(
  { connection }: OpenLance,
  items: Table,
  stems: readonly string[],
): Promise<CollectionStatistics> {
  const table = await findTable(connection, WORDS)
  if (!table) return { documents: await items.countRows(), holders: new Map() }
  try {
    const wanted = [ALL_ITEMS, ...stems].map(quoteSql).join(', ')
    const rows = await table.query().where(`word IN (${wanted})`).toArray()
    const holders = new Map(rows.map(row => [String(row.word), Number(row.holders)]))
    return { documents: holders.get(ALL_ITEMS) ?? (await items.countRows()), holders }
  } finally {
    table.close()
  }
}
