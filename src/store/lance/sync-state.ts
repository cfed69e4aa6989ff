// What the last sync saw: a fingerprint of the files and the table's version after it. When both are still the same
// there is nothing to do, and nothing has to be parsed to know it. A sync that was killed leaves no such note.
import type { Connection } from '@lancedb/lancedb'

const STATE_TABLE = 'skills_sync'

export interface SyncState {
  readonly fingerprint: string
  readonly version: number
  readonly rows: number
}

export async function readSyncState(connection: Connection): Promise<SyncState | undefined> {
  const names = await connection.tableNames()
  if (!names.includes(STATE_TABLE)) return undefined
  const table = await connection.openTable(STATE_TABLE)
  try {
    const [row] = await table.query().limit(1).toArray()
    if (!row) return undefined
    return { fingerprint: String(row.fingerprint), version: Number(row.version), rows: Number(row.rows) }
  } finally {
    table.close()
  }
}

export async function writeSyncState(connection: Connection, state: SyncState): Promise<void> {
  const table = await connection.createTable(STATE_TABLE, [{ ...state }], { mode: 'overwrite' })
  table.close()
}
