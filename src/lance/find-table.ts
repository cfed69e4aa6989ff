// Opens a table if it exists. LanceDB lists a table as soon as its first file is written, before it can be
// opened, and until its last file is deleted.
import type { Connection, Table } from '@lancedb/lancedb'

export async function findTable(connection: Connection, name: string): Promise<Table | undefined> {
  if (!(await connection.tableNames()).includes(name)) return undefined
  try {
    return await connection.openTable(name)
  } catch (thrown) {
    if (thrown instanceof Error && /not found/i.test(thrown.message)) return undefined
    throw thrown
  }
}
