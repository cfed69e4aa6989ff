// What the last sync found: the files, and the table at the moment when it was seen to hold them. If both are unchanged there is
// nothing to do, and finding that out reads little. A sync that was killed leaves no note.
import type { Connection } from '@lancedb/lancedb'
import { AppError, isRecord } from '../../../base/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import { SCANNER_VERSION } from '../../read/fingerprint.ts'
import type { SkillDiagnostic, SyncReport } from '../../read/records.ts'
import { findTable } from './find-table.ts'
import { TABLE } from './row-schema.ts'

export interface SyncNote {
  readonly scanner: number
  /** Of the embedder, or null. */
  readonly model: string | null
  /** How long its vectors were, or null. */
  readonly dimensions: number | null
  /** Of the names and states of the files. Null while a file was not settled. */
  readonly stamp: string | null
  /** Of the files' contents. */
  readonly fingerprint: string
  /** Of the table. */
  readonly table: string
  readonly rows: number
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** How long an embedder is waited for, to tell how long its vectors are. */
const PROBE_MS = 3000

/** Where the note of a table is kept, and how to tell whether the table was changed. */
export interface NoteKeeper {
  /** Differs whenever the table may have changed; undefined when there is none. */
  tableStamp(): Promise<string | undefined>
  read(): Promise<SyncNote | undefined>
  write(note: SyncNote): Promise<void>
}

export interface FilesSeen {
  readonly stamp: string | undefined
  /** Reads all files. */
  fingerprint(): string
}

export interface Unchanged {
  readonly report: SyncReport
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** The answer to give when neither files nor table have changed since the last sync. */
export async function findUnchanged(
  notes: NoteKeeper,
  files: FilesSeen,
  embedder: TextEmbedder | undefined,
): Promise<Unchanged | undefined> {
  const note = await notes.read()
  if (!note || note.scanner !== SCANNER_VERSION || note.model !== (embedder?.model ?? null)) return undefined
  if ((await notes.tableStamp()) !== note.table) return undefined
  if (files.stamp === undefined || files.stamp !== note.stamp) {
    if (files.fingerprint() !== note.fingerprint) return undefined
    // Only touched: the next sync need not read them again.
    if (files.stamp !== undefined) await notes.write({ ...note, stamp: files.stamp })
  }
  if (embedder && (await hasOtherLength(embedder, note.dimensions))) return undefined
  const report = { added: [], updated: [], deleted: [], unchanged_count: note.rows }
  return { report, diagnostics: note.diagnostics }
}

/** A provider may change its vectors under the same name. One that does not answer is not needed where nothing has changed. */
async function hasOtherLength(embedder: TextEmbedder, dimensions: number | null): Promise<boolean> {
  try {
    return (await embedder.dimensions({ deadline: performance.now() + PROBE_MS })) !== dimensions
  } catch (thrown) {
    if (thrown instanceof AppError) return false
    throw thrown
  }
}

/** Undefined for what no sync of ours wrote: then everything is compared. */
export function parseNote(text: string): SyncNote | undefined {
  let note: unknown
  try {
    note = JSON.parse(text)
  } catch {
    return undefined
  }
  const isOurs =
    isRecord(note) &&
    typeof note.scanner === 'number' &&
    typeof note.fingerprint === 'string' &&
    typeof note.table === 'string' &&
    typeof note.rows === 'number' &&
    Array.isArray(note.diagnostics)
  // The shape that a sync writes: the fields that are used were checked.
  return isOurs ? (note as unknown as SyncNote) : undefined
}

const NOTE_TABLE = 'skills_sync'

/** At an address the note is a table of one row, next to the table that it is about. */
export function notesAtAddress(connect: () => Promise<Connection>): NoteKeeper {
  return {
    async tableStamp() {
      const table = await findTable(await connect(), TABLE)
      if (!table) return undefined
      try {
        return `${await table.version()} ${await table.countRows()}`
      } finally {
        table.close()
      }
    },
    async read() {
      const table = await findTable(await connect(), NOTE_TABLE)
      if (!table) return undefined
      try {
        const [row] = await table.query().limit(1).toArray()
        return parseNote(String(row?.note))
      } finally {
        table.close()
      }
    },
    async write(note) {
      const connection = await connect()
      const row = { note: JSON.stringify(note) }
      const table = await connection.createTable(NOTE_TABLE, [row], { mode: 'overwrite' })
      table.close()
    },
  }
}
