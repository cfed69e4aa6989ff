// SQLite as built into Node, or on an older Node a package with a binary and the same interface.
import type { DatabaseSync } from '@photostructure/sqlite'

export type Database = InstanceType<typeof DatabaseSync>
export type OpenSqlite = (path: string) => Database

/** How long to wait for a database that another process is writing to. */
export const BUSY_MS = 5_000

/** Called only when an index is opened: on an older Node it takes longer than the rest of the start-up. */
export async function loadSqlite(): Promise<OpenSqlite> {
  const Sqlite = findBuiltIn() ?? (await import('@photostructure/sqlite')).DatabaseSync
  return path => new Sqlite(path, { timeout: BUSY_MS })
}

/** Before 22.16, Node's own SQLite had no time limit for a busy database. */
export function hasBuiltIn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 16)
}

function findBuiltIn(): typeof DatabaseSync | undefined {
  if (!hasBuiltIn(process.versions.node)) return undefined
  const { emitWarning } = process
  // Node 22 warns on standard error that its SQLite may change. The warning is hidden: CI runs our tests on
  // each Node that we support.
  process.emitWarning = () => {}
  try {
    // The types of Node 20 do not have it. The interface of the package is modelled on it.
    return (process.getBuiltinModule('node:sqlite') as { DatabaseSync: typeof DatabaseSync } | undefined)
      ?.DatabaseSync
  } finally {
    process.emitWarning = emitWarning
  }
}
