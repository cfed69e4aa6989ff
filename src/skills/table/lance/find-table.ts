// A table by its name, or none. LanceDB lists a table from the first file that somebody writes for it, which is before there is
// a table to open, and until the last one is gone.
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
