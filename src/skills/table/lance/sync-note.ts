// What the last sync found: the folders, and the table when it was seen to hold their rows. If both are
// unchanged, there is nothing to do, which takes little reading to find out. A killed sync leaves no note.
import type { Connection } from '@lancedb/lancedb'
import { AppError, isRecord, sha256Hex } from '../../../base/index.ts'
import { findTable } from '../../../lance/index.ts'
import { type FoundRoots, packRoots, unpackRoots } from '../../../scan/index.ts'
import type { TextEmbedder } from '../../../search/index.ts'
import type { KeptScan, KeptTree } from '../../folders/scan-again.ts'
import { SCANNER_VERSION } from '../../read/scanner-version.ts'
import type { SkillFacts } from '../../read/skill-facts.ts'
import { cutLines, FolderNotes } from '../folder-notes.ts'
import { TABLE } from './row-schema.ts'

export interface SyncNote {
  readonly scanner: number
  /** The model of the embedder, or null. */
  readonly model: string | null
  /** The length of its vectors, or null. */
  readonly dimensions: number | null
  /** Differs when the user trusts other keys: the rows contain verdicts. */
  readonly trust: string
  readonly folders: FolderNotes
  /** The state of the directories. Undefined when there was nothing to compare the next scan with. */
  readonly scan?: KeptScan | undefined
  /** The stamp of the table. */
  readonly table: string
  /** Every commit raises it by one. */
  readonly version: number
  /** The version of the table when its indexes were last brought up to date. */
  readonly optimizedAt: number
}

/** How long to wait for an embedder to say how long its vectors are. */
const PROBE_MS = 3000

/** Where the note of a table is kept, and how to tell whether the table was changed. */
export interface NoteKeeper {
  /** Differs whenever the table may have changed; undefined when there is none. */
  tableStamp(): Promise<string | undefined>
  read(): Promise<SyncNote | undefined>
  write(note: SyncNote): Promise<void>
}

/** The note, if the table is as the note says and its rows would be made in the same way now. */
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

/**
 * A provider may change its vectors under the same name. If it does not answer, that is no problem: when
 * nothing has changed, it is not needed.
 */
async function hasOtherLength(embedder: TextEmbedder, dimensions: number | null): Promise<boolean> {
  try {
    return (await embedder.dimensions({ withinMs: PROBE_MS })) !== dimensions
  } catch (thrown) {
    if (thrown instanceof AppError) return false
    throw thrown
  }
}

const NOTHING: FoundRoots = { folders: [], skipped: [] }

/** The size in bytes of the folders' lines, then those lines, then the rest with what `find` found. */
export function encodeNote({ scan, folders, ...note }: SyncNote): Uint8Array {
  const { lines, facts, unsettled, rowCount, isDistinct } = folders
  const text = Buffer.from([...lines.values()].join('\n'))
  const rest = packRoots(scan?.found ?? NOTHING, {
    ...note,
    folders: { facts: [...facts], unsettled: [...unsettled], rowCount, isDistinct, digest: sha256Hex(text) },
    ...(scan && { trees: scan.trees, naming: scan.naming }),
  })
  return Buffer.concat([Buffer.from(`${text.length}\n`), text, rest])
}

/** Undefined for bytes that no sync of ours wrote; everything is then compared. */
export function decodeNote(note: Uint8Array): SyncNote | undefined {
  const bytes = Buffer.from(note.buffer, note.byteOffset, note.length)
  const start = bytes.indexOf('\n') + 1
  const end = start + Number(bytes.toString('latin1', 0, start))
  const unpacked = end <= bytes.length ? unpackRoots(bytes.subarray(end)) : undefined
  if (!unpacked) return undefined
  const { found, about } = unpacked
  const { trees, naming, folders: head, ...rest } = about
  const folders = decodeFolders(bytes.subarray(start, end), head)
  const isOurs =
    typeof rest.scanner === 'number' &&
    typeof rest.trust === 'string' &&
    typeof rest.table === 'string' &&
    typeof rest.version === 'number' &&
    typeof rest.optimizedAt === 'number'
  if (!isOurs || !folders) return undefined
  const scan = isTrees(trees) && typeof naming === 'string' ? { trees, naming, found } : undefined
  // The shape that a sync writes: the fields that are used were checked.
  return { ...rest, folders, ...(scan && { scan }) } as unknown as SyncNote
}

/** A digest vouches for the lines, so they are not checked one by one. */
function decodeFolders(text: Buffer, head: unknown): FolderNotes | undefined {
  if (!isRecord(head) || head.digest !== sha256Hex(text)) return undefined
  const { facts, unsettled, rowCount, isDistinct } = head
  const isOurs =
    Array.isArray(facts) &&
    facts.every(isFactsOfFolder) &&
    Array.isArray(unsettled) &&
    unsettled.every(key => typeof key === 'string') &&
    typeof rowCount === 'number' &&
    typeof isDistinct === 'boolean'
  if (!isOurs) return undefined
  const lines = cutLines(text.toString())
  return new FolderNotes({
    lines,
    facts: new Map(facts),
    unsettled: new Set(unsettled),
    rowCount,
    isDistinct,
  })
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

function isFactsOfFolder(value: unknown): value is [string, SkillFacts] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !isRecord(value[1])) return false
  const { tools, documents, diagnostics, path, main } = value[1]
  return (
    typeof path === 'string' &&
    typeof main === 'string' &&
    [tools, documents, diagnostics].every(Array.isArray)
  )
}

const NOTE_TABLE = 'skills_sync'
const KEEP_MS = 600_000

/** At an address, the note is a table of one row next to the table that it is about. */
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
        // Every write leaves the version before it behind, since another process may be reading that.
        await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) })
      } finally {
        table.close()
      }
    },
  }
}
