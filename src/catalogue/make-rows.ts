// Makes rows of the `items` table, as columns, from items that were read. This takes about as long as reading
// them. Input and output are plain values, so that a separate thread can do it.
import { type ColumnValue, type EncodedColumns, encodeColumn } from '../lance/index.ts'
import { type LocalEmbedder, WordIndexer } from '../search/index.ts'
import { type ItemRow, type ItemToWrite, makeRow, type RowOrigin } from './row.ts'
import { KINDS } from './table/columns.ts'

/** All columns except `bytes`. */
export type MakeRows = (items: readonly ItemToWrite[], origin: RowOrigin) => EncodedColumns

export function rowMaker(embedder: LocalEmbedder | undefined): MakeRows {
  const words = new WordIndexer()
  return (items, origin) => {
    const rows = items.map(item =>
      makeRow(item, {
        ...{ ...origin, words: words.wordsOf(item.document) },
        vector: vectorOf(item, embedder),
      }),
    )
    return Object.fromEntries(
      Object.entries(KINDS).map(([name, kind]) => [name, encodeColumn(kind, valuesOf(rows, name))]),
    )
  }
}

function valuesOf(rows: readonly ItemRow[], name: string): ColumnValue[] {
  return rows.map(row => row[name] ?? null)
}

function vectorOf({ document }: ItemToWrite, embedder: LocalEmbedder | undefined): Float32Array | null {
  const { title, description, fields, prose } = document
  return embedder?.embedItem({ title, description, body: prose ?? fields.content.join('\n') }) ?? null
}
