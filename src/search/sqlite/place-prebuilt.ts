// A space whose files come with the program has an index that came with it, too: its items are read and compared, not parsed again.
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, linkSync, rmSync } from 'node:fs'
import { databaseFiles, inodeOf, MEMORY } from './database.ts'
import type { OpenSqlite } from './load-sqlite.ts'

/**
 * Puts a copy of the prebuilt index at `path`, unless there is one already. Where that is impossible, nothing is there, and the index is
 * made from the files as any other.
 */
export function placePrebuilt(open: OpenSqlite, prebuilt: string, path: string): void {
  if (path === MEMORY || databaseFiles(path).some(file => existsSync(file)) || !existsSync(prebuilt)) return
  const copy = `${path}.${process.pid}-${randomBytes(8).toString('hex')}`
  try {
    copyFileSync(prebuilt, copy)
    // Those of a package may be read-only.
    chmodSync(copy, 0o600)
    adopt(open, copy)
    // Fails if another process was quicker; a file is never there in part.
    linkSync(copy, path)
  } catch {
    // Read-only, full, or not a database: nothing of it was put in place.
  } finally {
    for (const file of databaseFiles(copy)) rmSync(file, { force: true })
  }
}

/** An index is valid in the file that it was made in alone: this copy becomes one of its own. */
function adopt(open: OpenSqlite, copy: string): void {
  const database = open(copy)
  try {
    // Not prepared: a statement that is still there when the database is closed leaves the change in a log beside it.
    database.exec(`
      PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL;
      UPDATE meta SET value = '${inodeOf(copy)}' WHERE key = 'inode';
    `)
  } finally {
    database.close()
  }
}
