// The rows of a root as far as a comparison with its items needs them. There may be a million: they stay in the columns in which LanceDB
// gives them, and only keys become strings.
import type { Table } from '@lancedb/lancedb'
import { quoteSql } from '../../lance/index.ts'

export interface KnownRow {
  /** From 0, of those that are known. */
  readonly number: number
  readonly digest: string
  readonly stamp: string
  readonly made: string
}

export interface KnownRows {
  /** How many keys there are, and how many rows. */
  readonly size: number
  readonly rows: number
  /** Keys that more than one row has. */
  readonly repeated: readonly string[]
  find(key: string): KnownRow | undefined
  /** With their numbers. */
  keys(): Iterable<readonly [key: string, number: number]>
}

export const NOTHING_KNOWN: KnownRows = {
  ...{ size: 0, rows: 0, repeated: [] },
  find: () => undefined,
  keys: () => [],
}

/** Closes the table. */
export async function readKnown(table: Table, root: string, only?: readonly string[]): Promise<KnownRows> {
  try {
    const keysOnly = only ? ` AND key IN (${only.map(quoteSql).join(', ')})` : ''
    const found = await table
      .query()
      .select(['key', 'digest', 'stamp', 'made'])
      .where(`root = ${quoteSql(root)}${keysOnly}`)
      .toArrow()
    const [keys, digests, stamps, mades] = ['key', 'digest', 'stamp', 'made'].map(
      name => found.getChild(name)!,
    )
    const rows = new Map<string, number>()
    const repeated = new Set<string>()
    for (let row = 0; row < found.numRows; row++) {
      const key = String(keys!.get(row))
      if (rows.has(key)) repeated.add(key)
      rows.set(key, row)
    }
    return {
      size: rows.size,
      rows: found.numRows,
      repeated: [...repeated],
      keys: () => rows,
      find(key) {
        const number = rows.get(key)
        if (number === undefined) return undefined
        const [digest, stamp, made] = [digests, stamps, mades].map(column => String(column!.get(number)))
        return { number, digest: digest!, stamp: stamp!, made: made! }
      },
    }
  } finally {
    table.close()
  }
}
