// The note of a table in a directory: a file beside it. Reading it and looking at the table's folder needs no LanceDB, which
// costs more to load than everything else that an unchanged sync does.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, sha256Hex, systemErrorCode } from '../../../base/index.ts'
import { atomicWrite, readFile } from '../../../files/index.ts'
import { TABLE } from './row-schema.ts'
import { type NoteKeeper, parseNote } from './sync-note.ts'

const NOTE_FILE = '.skills-sync.json'
const MAX_BYTES = 64_000_000

export function notesInFolder(folder: string): NoteKeeper {
  const path = join(folder, NOTE_FILE)
  return {
    tableStamp: async () => stampOfTable(join(folder, `${TABLE}.lance`)),
    async read() {
      try {
        const read = readFile(path, { maxBytes: MAX_BYTES })
        return read && parseNote(read.bytes.toString('utf8'))
      } catch (thrown) {
        // It only spares work: a note that cannot be read is none.
        if (thrown instanceof AppError) return undefined
        throw thrown
      }
    },
    write: async note => atomicWrite(path, JSON.stringify(note), { root: folder }),
  }
}

// Every commit of LanceDB adds a manifest of a new name. The folders' own times and inodes tell of a table that was taken
// away and made again, and of data that went missing.
function stampOfTable(table: string): string | undefined {
  try {
    const versions = readdirSync(join(table, '_versions')).filter(name => name.endsWith('.manifest'))
    const folders = ['', '_versions', 'data', '_indices'].map(name => {
      const stats = lstatSync(join(table, name), { throwIfNoEntry: false })
      return stats ? [stats.ino, stats.mtimeMs, stats.ctimeMs] : null
    })
    return versions.length === 0 ? undefined : sha256Hex(JSON.stringify([versions.sort(), folders]))
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT' || systemErrorCode(thrown) === 'ENOTDIR') return undefined
    throw new AppError('FILE_UNREADABLE', `\`${table}\`: ${systemErrorCode(thrown) ?? String(thrown)}`, {
      cause: thrown,
    })
  }
}
