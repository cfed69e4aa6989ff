// The files that an index holds, each with the state in which it was read.

import type { KnownFile, TouchedFile } from '../indexed-item.ts'
import type { Database } from '../load-sqlite.ts'

const FILES = 'SELECT path, size, mtime AS mtimeMs, ctime AS ctimeMs, inode, hash FROM item'

export function readKnownFiles(database: Database): ReadonlyMap<string, KnownFile> {
  return new Map(database.prepare(FILES).all().map(readKnown))
}

export function findKnownFile(database: Database, path: string): KnownFile | undefined {
  const row = database.prepare(`${FILES} WHERE path = ?`).get(path)
  return row && readKnown(row)[1]
}

function readKnown(row: unknown): [path: string, file: KnownFile] {
  // The columns of `FILES`.
  const { path, size, mtimeMs, ctimeMs, inode, hash } = row as TouchedFile
  return [path, { size, mtimeMs, ctimeMs, inode, hash }]
}
