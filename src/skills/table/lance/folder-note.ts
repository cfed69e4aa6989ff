// The note of a table in a directory: a file next to it. Comparing it with the states of the table's files
// needs no LanceDB, which takes longer to load than everything else that an unchanged sync does.
import { join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite, readFile, stampFiles, stateAt } from '../../../files/index.ts'
import { walk } from '../../../scan/index.ts'
import { TABLE } from './row-schema.ts'
import { decodeNote, encodeNote, type NoteKeeper } from './sync-note.ts'

const NOTE_FILE = '.skills-sync'
const MAX_BYTES = 64_000_000

export function notesInFolder(folder: string): NoteKeeper {
  const path = join(folder, NOTE_FILE)
  return {
    tableStamp: async () => stampTable(join(folder, `${TABLE}.lance`)),
    async read() {
      try {
        const read = readFile(path, { maxBytes: MAX_BYTES })
        return read && decodeNote(read.bytes)
      } catch (thrown) {
        // A note only saves work, so one that cannot be read counts as none.
        if (thrown instanceof AppError) return undefined
        throw thrown
      }
    },
    write: async note => atomicWrite(path, encodeNote(note), { root: folder }),
  }
}

/**
 * Undefined when there is no table. Does not check whether the files are settled, since a note could then
 * only be written two seconds after its sync. LanceDB never writes to a file again: every commit adds a
 * manifest with a new name.
 */
function stampTable(table: string): string | undefined {
  const state = stateAt(table)
  if (!state) return undefined
  const { files, skipped } = walk(table, { underscored: 'take', fileBytes: Number.MAX_SAFE_INTEGER })
  const hasVersion = files.some(({ path }) => path.startsWith('_versions/') && path.endsWith('.manifest'))
  return hasVersion ? stampFiles([state, skipped], files) : undefined
}
