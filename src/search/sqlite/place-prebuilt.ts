// A space whose files come with the program also comes with an index, so that its items are read and
// compared, not parsed again.
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, linkSync, rmSync } from 'node:fs'
import { databaseFiles, inodeOf, MEMORY } from './database.ts'
import type { OpenSqlite } from './load-sqlite.ts'

/**
 * Puts a copy of the prebuilt index at `path`, unless there is an index already. If that fails, nothing is
 * put there, and the index is made from the files like any other.
 */
export function placePrebuilt(open: OpenSqlite, prebuilt: string, path: string): void {
  if (path === MEMORY || databaseFiles(path).some(file => existsSync(file)) || !existsSync(prebuilt)) return
  const copy = `${path}.${process.pid}-${randomBytes(8).toString('hex')}`
  try {
    copyFileSync(prebuilt, copy)
    // Files of a package may be read-only.
    chmodSync(copy, 0o600)
    adopt(open, copy)
    // Fails if another process was quicker, and never leaves a partial file.
    linkSync(copy, path)
  } catch {
    // The disk is read-only or full, or the file is not a database. Nothing was put in place.
  } finally {
    for (const file of databaseFiles(copy)) rmSync(file, { force: true })
  }
}

/** An index is valid only in the file that it was made in, so the copy gets its own inode. */
function adopt(open: OpenSqlite, copy: string): void {
  const database = open(copy)
  try {
    // `exec`, because a prepared statement that is still open when the database is closed leaves the change
    // in a log beside it.
    database.exec(`
      PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL;
      UPDATE meta SET value = '${inodeOf(copy)}' WHERE key = 'inode';
    `)
  } finally {
    database.close()
  }
}
