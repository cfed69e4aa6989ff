// The packed files of large items, in a table beside that of the items. Each is stored once, by the digest of
// its bytes.
import { sha256Hex } from '../../base/index.ts'
import { findTable, makeBatch, type OpenLance, quoteSql } from '../../lance/index.ts'
import { OBJECTS, objectsSchema } from './columns.ts'

export async function putObjects(
  { arrow, connection }: OpenLance,
  objects: readonly Uint8Array[],
): Promise<void> {
  const schema = objectsSchema(arrow)
  const table =
    (await findTable(connection, OBJECTS)) ??
    (await connection.createEmptyTable(OBJECTS, schema, { existOk: true }))
  try {
    for (const bytes of objects) {
      const digest = sha256Hex(bytes)
      if ((await table.countRows(`digest = '${digest}'`)) > 0) continue
      await table.add(makeBatch(arrow, schema, [{ digest, written: Date.now(), bytes }]))
    }
  } finally {
    table.close()
  }
}

export async function findObject({ connection }: OpenLance, digest: string): Promise<Uint8Array | undefined> {
  const table = await findTable(connection, OBJECTS)
  if (!table) return undefined
  try {
    const [row] = await table
      .query()
      .select(['bytes'])
      .where(`digest = ${quoteSql(digest)}`)
      .limit(1)
      .toArray()
    return row?.bytes instanceof Uint8Array ? row.bytes : undefined
  } finally {
    table.close()
  }
}
