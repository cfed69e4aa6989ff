// Digests of what was installed where: the only proof that a copy was not edited. A signature is no proof, because whoever
// edits a copy may sign it. Without the note, every copy counts as edited.
import { join, relative } from 'node:path'
import { isRecord, sha256Hex } from '../../base/index.ts'
import { atomicWrite, readFile } from '../../files/index.ts'
import { idProblem } from '../../item/index.ts'
import type { ProjectStates } from '../../user/index.ts'

export type Files = ReadonlyMap<string, Uint8Array>

export interface InstalledSkills {
  /** Whether these files are exactly what was last installed there. */
  isAsInstalled(target: string, files: Files): boolean
  /** Whether something was installed there. */
  isRemembered(target: string): boolean
  /** The id of the skill that was installed there; two may have one name. Undefined if that is not known. */
  sourceOf(target: string): string | undefined
  remember(target: string, id: string, files: Files): void
  forget(target: string): void
}

const NOTE = 'installed-skills.json'
const MAX_BYTES = 4_000_000
/** How many copies are remembered; older ones count as edited. */
const MOST = 2000

/** Below one folder: the project, or the user's home. */
export function installedSkills(states: ProjectStates, base: string): InstalledSkills {
  const keyOf = (target: string) => relative(base, target).replaceAll('\\', '/')
  const notesNow = () => readNotes(states.find(base)?.path)
  const change = (edit: (notes: Map<string, Note>) => void) => {
    const root = states.make(base).path
    const notes = readNotes(root)
    edit(notes)
    const kept = Object.fromEntries([...notes].slice(-MOST))
    atomicWrite(join(root, NOTE), `${JSON.stringify(kept, null, 2)}\n`, { root, mode: 0o600 })
  }
  return {
    isAsInstalled: (target, files) => notesNow().get(keyOf(target))?.digest === digestOf(files),
    isRemembered: target => notesNow().has(keyOf(target)),
    sourceOf: target => notesNow().get(keyOf(target))?.item_id,
    remember: (target, id, files) =>
      change(notes => {
        notes.delete(keyOf(target))
        notes.set(keyOf(target), { digest: digestOf(files), item_id: id })
      }),
    forget(target) {
      if (notesNow().has(keyOf(target))) change(notes => notes.delete(keyOf(target)))
    },
  }
}

interface Note {
  readonly digest: string
  readonly item_id?: string
}

function readNotes(folder: string | undefined): Map<string, Note> {
  if (folder === undefined) return new Map()
  const file = readFile(join(folder, NOTE), { maxBytes: MAX_BYTES, root: folder })
  try {
    const value: unknown = JSON.parse(file?.bytes.toString('utf8') ?? '{}')
    if (!isRecord(value)) return new Map()
    return new Map(
      Object.entries(value).flatMap(([key, note]): [string, Note][] => {
        const read = readNote(note)
        return read ? [[key, read]] : []
      }),
    )
  } catch {
    return new Map() // not our note
  }
}

/** A digest alone is of an earlier version. */
function readNote(note: unknown): Note | undefined {
  if (typeof note === 'string') return { digest: note }
  if (!isRecord(note) || typeof note.digest !== 'string') return undefined
  return idProblem(note.item_id) === undefined
    ? { digest: note.digest, item_id: String(note.item_id) }
    : { digest: note.digest }
}

function digestOf(files: Files): string {
  const list = [...files].map(([path, bytes]) => [path, sha256Hex(bytes)]).sort()
  return sha256Hex(JSON.stringify(list))
}
