// SQLite, as Node brings it, or on an older Node as a binary beside our code: the same interface, written after Node's.
import type { DatabaseSync } from '@photostructure/sqlite'

export type Database = InstanceType<typeof DatabaseSync>
export type OpenSqlite = (path: string) => Database

/** Of a database that another process writes to. */
export const BUSY_MS = 5_000

/** Called only when an index is opened: on an older Node it takes longer than the rest of the start-up. */
export async function loadSqlite(): Promise<OpenSqlite> {
  const Sqlite = findBuiltIn() ?? (await import('@photostructure/sqlite')).DatabaseSync
  return path => new Sqlite(path, { timeout: BUSY_MS })
}

/** Before 22.16 Node's own had no time limit for a busy database. */
export function hasBuiltIn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 16)
}

function findBuiltIn(): typeof DatabaseSync | undefined {
  if (!hasBuiltIn(process.versions.node)) return undefined
  const { emitWarning } = process
  // Node 22 reports on standard error that it may change; CI runs our tests on each Node that we support.
  process.emitWarning = () => {}
  try {
    // The types of Node 20 do not know it, and the interface of the package is written after it.
    return (process.getBuiltinModule('node:sqlite') as { DatabaseSync: typeof DatabaseSync } | undefined)
      ?.DatabaseSync
  } finally {
    process.emitWarning = emitWarning
  }
}
