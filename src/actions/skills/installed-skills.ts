// Digests of what was installed where: the only proof that a copy was not edited. A signature is no proof, because whoever
// edits a copy may sign it. Without the note, every copy counts as edited. It is read once for an action and written once, under a
// mutex: two at once would lose what the other has written.
import { lstatSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isRecord, systemErrorCode } from '../../base/index.ts'
import { acquireMutex, atomicWrite, readFile } from '../../files/index.ts'
import { idProblem } from '../../item/index.ts'
import type { ProjectStates } from '../../user/index.ts'
import { digestOf, type Files, fingerprintAt } from './skill-copy.ts'
import { finishPlacing, type InstalledNote, readPlacing } from './unfinished-placing.ts'

/** As it was when it was read. */
export interface InstalledSkills {
  /** Whether these files are exactly what was last installed there. */
  isAsInstalled(target: string, files: Files): boolean
  /** Whether something was installed there. */
  isRemembered(target: string): boolean
  /** The id of the skill that was installed there; two may have one name. Undefined if that is not known. */
  sourceOf(target: string): string | undefined
}

/** Changes are written by `save`. */
export interface InstalledNotes extends InstalledSkills {
  /** The folder for what is remembered. */
  readonly state: string
  remember(target: string, note: InstalledNote): void
  forget(target: string): void
  save(): void
}

const NOTE = 'installed-skills.json'
const MAX_BYTES = 64 * 1024 * 1024
/** With more copies than these, those that are gone are forgotten; they may come back with another branch. */
const MANY = 2000
/** Many skills take a while; one more process waits for its turn. */
const MUTEX = { waitMs: 60_000, holdMs: 600_000, subject: 'installing and removing skills' }

/** Below one folder: the project, or the user's home. */
export function installedSkills(states: ProjectStates, base: string): InstalledSkills {
  const state = states.find(base)?.path
  if (state === undefined) return asInstalled(new Map(), base)
  const notes = readNotes(state)
  // Of a run that goes on, or was killed: what it has put into its place is its own.
  for (const { path, after } of readPlacing(state)?.skills ?? [])
    if (after !== undefined && fingerprintAt(join(base, path), base) === after.digest) notes.set(path, after)
  return asInstalled(notes, base)
}

/** One change at a time, after whatever was left unfinished. Throws `EXECUTION_TIMEOUT` and what `acquireMutex` throws. */
export async function changeInstalled<T>(
  { states, base, signal }: { states: ProjectStates; base: string; signal: AbortSignal },
  work: (notes: InstalledNotes) => Promise<T>,
): Promise<T> {
  const state = states.make(base).path
  const mutex = await acquireMutex(join(state, `${NOTE}.lock`), { ...MUTEX, signal })
  try {
    const notes = openNotes(state, base)
    finishPlacing(notes, base)
    return await work(notes)
  } finally {
    mutex.release()
  }
}

function openNotes(state: string, base: string): InstalledNotes {
  const notes = readNotes(state)
  let isChanged = false
  return {
    ...asInstalled(notes, base),
    state,
    remember(target, note) {
      const key = keyOf(target, base)
      notes.delete(key)
      notes.set(key, note)
      isChanged = true
    },
    forget(target) {
      isChanged = notes.delete(keyOf(target, base)) || isChanged
    },
    save() {
      if (!isChanged) return
      const kept = notes.size > MANY ? [...notes].filter(([key]) => !isGone(join(base, key))) : [...notes]
      const text = `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`
      atomicWrite(join(state, NOTE), text, { root: state, mode: 0o600 })
      isChanged = false
    },
  }
}

/** What merely cannot be seen is not. */
function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return false
  }
}

function asInstalled(notes: ReadonlyMap<string, InstalledNote>, base: string): InstalledSkills {
  const noteOf = (target: string) => notes.get(keyOf(target, base))
  return {
    isAsInstalled: (target, files) => noteOf(target)?.digest === digestOf(files),
    isRemembered: target => noteOf(target) !== undefined,
    sourceOf: target => noteOf(target)?.item_id,
  }
}

function keyOf(target: string, base: string): string {
  return relative(base, target).replaceAll('\\', '/')
}

function readNotes(folder: string): Map<string, InstalledNote> {
  const file = readFile(join(folder, NOTE), { maxBytes: MAX_BYTES, root: folder })
  try {
    const value: unknown = JSON.parse(file?.bytes.toString('utf8') ?? '{}')
    if (!isRecord(value)) return new Map()
    return new Map(
      Object.entries(value).flatMap(([key, note]): [string, InstalledNote][] => {
        const read = readNote(note)
        return read ? [[key, read]] : []
      }),
    )
  } catch {
    return new Map() // not our note
  }
}

/** A digest alone is of an earlier version. */
function readNote(note: unknown): InstalledNote | undefined {
  if (typeof note === 'string') return { digest: note }
  if (!isRecord(note) || typeof note.digest !== 'string') return undefined
  return idProblem(note.item_id) === undefined
    ? { digest: note.digest, item_id: String(note.item_id) }
    : { digest: note.digest }
}
