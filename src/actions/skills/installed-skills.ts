// Digests of what was installed where: the only proof that a copy was not edited. A signature is no proof, because whoever
// edits a copy may sign it. Without the note, every copy counts as edited.
import { join, relative } from 'node:path'
import { isRecord, sha256Hex } from '../../base/index.ts'
import { atomicWrite, readFile } from '../../files/index.ts'
import type { ProjectStates } from '../../user/index.ts'

export type Files = ReadonlyMap<string, Uint8Array>

export interface InstalledSkills {
  /** Whether these files are exactly what was last installed there. */
  isAsInstalled(target: string, files: Files): boolean
  /** Whether something was installed there. */
  isRemembered(target: string): boolean
  remember(target: string, files: Files): void
}

const NOTE = 'installed-skills.json'
const MAX_BYTES = 4_000_000
/** How many copies are remembered; older ones count as edited. */
const MOST = 2000

/** Below one folder: the project, or the user's home. */
export function installedSkills(states: ProjectStates, base: string): InstalledSkills {
  const keyOf = (target: string) => relative(base, target).replaceAll('\\', '/')
  const notesNow = () => readNotes(states.find(base)?.path)
  return {
    isAsInstalled: (target, files) => notesNow().get(keyOf(target)) === digestOf(files),
    isRemembered: target => notesNow().has(keyOf(target)),
    remember(target, files) {
      const root = states.make(base).path
      const notes = readNotes(root)
      notes.delete(keyOf(target))
      notes.set(keyOf(target), digestOf(files))
      const kept = Object.fromEntries([...notes].slice(-MOST))
      atomicWrite(join(root, NOTE), `${JSON.stringify(kept, null, 2)}\n`, { root, mode: 0o600 })
    },
  }
}

function readNotes(folder: string | undefined): Map<string, string> {
  if (folder === undefined) return new Map()
  const file = readFile(join(folder, NOTE), { maxBytes: MAX_BYTES, root: folder })
  try {
    const value: unknown = JSON.parse(file?.bytes.toString('utf8') ?? '{}')
    if (!isRecord(value)) return new Map()
    return new Map(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return new Map() // not our note
  }
}

function digestOf(files: Files): string {
  const list = [...files].map(([path, bytes]) => [path, sha256Hex(bytes)]).sort()
  return sha256Hex(JSON.stringify(list))
}
