// What the last sync found: the folders, and the table at the moment when it was seen to hold their rows. If both are unchanged there is
// nothing to do, and finding that out reads little. A sync that was killed leaves no note.
import type { Connection } from '@lancedb/lancedb'
import { AppError, isRecord } from '../../../base/index.ts'
import { findTable } from '../../../lance/index.ts'
import { type FoundRoots, packRoots, unpackRoots } from '../../../scan/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import type { KeptLook, KeptTree } from '../../folders/look-again.ts'
import { SCANNER_VERSION } from '../../read/scanner-version.ts'
import type { FolderNote, FolderNotes } from '../collect-rows.ts'
import { TABLE } from './row-schema.ts'

export interface SyncNote {
  readonly scanner: number
  /** Of the embedder, or null. */
  readonly model: string | null
  /** How long its vectors were, or null. */
  readonly dimensions: number | null
  /** Of whom the user trusts: verdicts are in the rows. */
  readonly trust: string
  readonly folders: FolderNotes
  /** The directories of the folders; undefined where there was no `find` to ask. */
  readonly look?: KeptLook | undefined
  /** Of the table. */
  readonly table: string
  /** The version of the table when its indexes were last brought up to date. */
  readonly optimizedAt: number
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

/** The note, if the table is as it says and its rows were made in the way in which they would be made now. */
export async function recallNote(
  notes: NoteKeeper,
  wanted: Pick<SyncNote, 'model' | 'trust'>,
  embedder: TextEmbedder | undefined,
): Promise<SyncNote | undefined> {
  const note = await notes.read()
  if (note?.scanner !== SCANNER_VERSION || note.model !== wanted.model || note.trust !== wanted.trust)
    return undefined
  if ((await notes.tableStamp()) !== note.table) return undefined
  return embedder && (await hasOtherLength(embedder, note.dimensions)) ? undefined : note
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

const NOTHING: FoundRoots = { folders: [], skipped: [] }

export function encodeNote({ look, ...note }: SyncNote): Uint8Array {
  return packRoots(look?.found ?? NOTHING, { ...note, ...(look && { trees: look.trees }) })
}

/** Undefined for what no sync of ours wrote: then everything is compared. */
export function decodeNote(bytes: Uint8Array): SyncNote | undefined {
  const unpacked = unpackRoots(bytes)
  if (!unpacked) return undefined
  const { found, about } = unpacked
  const { trees, ...note } = about
  const isOurs =
    typeof note.scanner === 'number' &&
    typeof note.trust === 'string' &&
    typeof note.table === 'string' &&
    typeof note.optimizedAt === 'number' &&
    isRecord(note.folders) &&
    Object.values(note.folders).every(isFolderNote)
  // The shape that a sync writes: the fields that are used were checked.
  return isOurs
    ? ({ ...note, ...(isTrees(trees) && { look: { trees, found } }) } as unknown as SyncNote)
    : undefined
}

function isTrees(value: unknown): value is readonly KeptTree[] {
  return Array.isArray(value) && value.every(isTree)
}

function isTree(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.root === 'string' &&
    Array.isArray(value.skills) &&
    value.skills.every(path => typeof path === 'string') &&
    Array.isArray(value.diagnostics)
  )
}

function isFolderNote(value: unknown): value is FolderNote {
  if (!isRecord(value) || !isRecord(value.rows) || !isRecord(value.facts)) return false
  const { tools, documents, diagnostics, path, main } = value.facts
  return (
    Object.values(value.rows).every(digest => typeof digest === 'string') &&
    typeof path === 'string' &&
    typeof main === 'string' &&
    [tools, documents, diagnostics].every(Array.isArray)
  )
}

const NOTE_TABLE = 'skills_sync'
const KEEP_MS = 600_000

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
        return row?.note instanceof Uint8Array ? decodeNote(row.note) : undefined
      } finally {
        table.close()
      }
    },
    async write(note) {
      const connection = await connect()
      const row = { note: Buffer.from(encodeNote(note)) }
      const table = await connection.createTable(NOTE_TABLE, [row], { mode: 'overwrite' })
      try {
        // Every write leaves the one before it behind, for whoever may be reading it.
        await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) })
      } finally {
        table.close()
      }
    },
  }
}
