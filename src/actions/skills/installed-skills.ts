// Remembers the digest of each installed copy, which is the only proof that a copy was not edited. A
// signature is no proof, because anyone who edits a copy may sign it. Without a note, a copy counts as
// edited. The notes are read and written once per action, under a mutex: two writers at once would lose each
// other's notes.
import { lstatSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isRecord, systemErrorCode } from '../../base/index.ts'
import { acquireMutex, atomicWrite, readFile } from '../../files/index.ts'
import { idProblem } from '../../item/index.ts'
import type { ProjectStates } from '../../user/index.ts'
import { digestOf, type Files, fingerprintAt } from './skill-copy.ts'
import { finishPlacing, type InstalledNote, readPlacing } from './unfinished-placing.ts'

/** The notes as they were when they were read. */
export interface InstalledSkills {
  /** Whether these files are exactly what was last installed there. */
  isAsInstalled(target: string, files: Files): boolean
  /** Whether rye has installed something there. */
  isRemembered(target: string): boolean
  /**
   * The id of the skill that was installed there, since two skills may have one name. Undefined when not
   * known.
   */
  sourceOf(target: string): string | undefined
}

/** Notes that can be changed; `save` writes them. */
export interface InstalledNotes extends InstalledSkills {
  /** The folder of the user's state for this base. */
  readonly state: string
  remember(target: string, note: InstalledNote): void
  forget(target: string): void
  save(): void
}

const NOTE = 'installed-skills.json'
const MAX_BYTES = 64 * 1024 * 1024
/**
 * With more notes than this, those of missing copies are dropped. Below it they stay, because the copies may
 * come back with another branch.
 */
const MANY = 2000
/** Installing many skills takes a while; another process waits for its turn. */
const MUTEX = { waitMs: 60_000, holdMs: 600_000, subject: 'installing and removing skills' }

/** The notes for one base folder: the project, or the user's home. */
export function installedSkills(states: ProjectStates, base: string): InstalledSkills {
  const state = states.find(base)?.path
  if (state === undefined) return asInstalled(new Map(), base)
  const notes = readNotes(state)
  // An install that is running or was killed has not saved its notes yet: copies that it already put into
  // place count as installed.
  for (const { path, after } of readPlacing(state)?.skills ?? [])
    if (after !== undefined && fingerprintAt(join(base, path), base) === after.digest) notes.set(path, after)
  return asInstalled(notes, base)
}

/**
 * Runs one change at a time, after finishing what was left unfinished. Throws `EXECUTION_TIMEOUT`, and what
 * `acquireMutex` throws.
 */
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

/** A path that merely cannot be seen does not count as gone. */
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
    return new Map() // not our file
  }
}

/** Notes of earlier versions are only a digest. */
function readNote(note: unknown): InstalledNote | undefined {
  if (typeof note === 'string') return { digest: note }
  if (!isRecord(note) || typeof note.digest !== 'string') return undefined
  return idProblem(note.item_id) === undefined
    ? { digest: note.digest, item_id: String(note.item_id) }
    : { digest: note.digest }
}
