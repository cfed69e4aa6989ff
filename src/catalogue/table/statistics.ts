// How many items there are, and how many contain each word, as of the last count. A word that was not counted
// is treated as rare.
import type { Table } from '@lancedb/lancedb'
import { findTable, type OpenLance, quoteSql } from '../../lance/index.ts'
import type { CollectionStatistics } from '../../search/index.ts'
import { WORDS } from './columns.ts'
import { ALL_ITEMS } from './upkeep.ts'

/**
 * Counts are updated only after a twentieth of the items has changed, so being a minute late doesn't matter.
 */
const KEPT_MS = 60_000
const MOST_KEPT = 20_000

/** Counts of the words that were asked for, of one table. */
export class WordCounts {
  readonly #counts = new Map<string, number>()
  #until = 0
  #words: Promise<Table | undefined> | undefined

  async read(
    { connection }: OpenLance,
    items: Table,
    stems: readonly string[],
  ): Promise<CollectionStatistics> {
    const now = performance.now()
    if (now > this.#until || this.#counts.size > MOST_KEPT) {
      this.#counts.clear()
      this.#close()
      this.#until = now + KEPT_MS
    }
    const missing = [ALL_ITEMS, ...stems].filter(word => !this.#counts.has(word))
    if (missing.length > 0) await this.#readMissing(connection, items, missing)
    return {
      documents: this.#counts.get(ALL_ITEMS) ?? 0,
      holders: new Map(stems.map(word => [word, this.#counts.get(word) ?? 0])),
    }
  }

  async #readMissing(
    connection: OpenLance['connection'],
    items: Table,
    words: readonly string[],
  ): Promise<void> {
    // Kept open: finding and opening a table takes longer than querying it.
    this.#words ??= findTable(connection, WORDS)
    try {
      const found = await (await this.#words)
        ?.query()
        .where(`word IN (${words.map(quoteSql).join(', ')})`)
        .toArray()
      for (const word of words) this.#counts.set(word, 0)
      for (const row of found ?? []) this.#counts.set(String(row.word), Number(row.holders))
    } catch (thrown) {
      this.#close()
      throw thrown
    }
    if (!this.#counts.get(ALL_ITEMS)) this.#counts.set(ALL_ITEMS, await items.countRows())
  }

  #close(): void {
    this.#words?.then(
      table => table?.close(),
      () => {},
    )
    this.#words = undefined
  }
}
