// A note of what an install is about to put into place, written before the first rename. If the run is
// killed, the next one finishes it, and everything it had put there is known as its own. The note is kept
// with the user: a tool that runs in the project may have changed what lies aside, so nothing is put back
// unless it matches the note.
import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError, isRecord } from '../../base/index.ts'
import { atomicWrite, move, readFile, removeFile, removeTree, syncMoves } from '../../files/index.ts'
import { fingerprintAt } from './skill-copy.ts'

export interface InstalledNote {
  readonly digest: string
  readonly item_id?: string
}

interface PlacedSkill {
  /** Relative to the project or the home, with `/`. */
  readonly path: string
  /** Fingerprint of what was there before; absent if nothing was. */
  readonly before?: string
  /** Set for a copy; links are not remembered. */
  readonly after?: InstalledNote
}

export interface Placing {
  /** The folder aside, relative to the project or the home. */
  readonly aside: string
  readonly skills: readonly PlacedSkill[]
}

const FILE = 'placing-skills.json'
const MAX_BYTES = 64 * 1024 * 1024

export function writePlacing(state: string, placing: Placing): void {
  const text = `${JSON.stringify({ version: 1, ...placing })}\n`
  atomicWrite(join(state, FILE), text, { root: state, mode: 0o600 })
}

/** Undefined when nothing is being placed. */
export function readPlacing(state: string): Placing | undefined {
  const text = readFile(join(state, FILE), { maxBytes: MAX_BYTES, root: state })?.bytes.toString('utf8')
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (!isRecord(value) || value.version !== 1 || !isBelow(value.aside)) return undefined
    if (!Array.isArray(value.skills) || !value.skills.every(isPlacedSkill)) return undefined
    return { aside: value.aside, skills: value.skills }
  } catch {
    return undefined // not our note
  }
}

export function clearPlacing(state: string): void {
  removeFile(join(state, FILE), { root: state })
}

/** Where the old copy lies until the new one is in place. */
export function oldPlace(aside: string, target: string): string {
  return join(aside, 'old', basename(target))
}

interface Notes {
  readonly state: string
  remember(target: string, note: InstalledNote): void
  forget(target: string): void
  save(): void
}

/**
 * Runs after a run that was killed: remembers what that run put into place, and puts back what it had only
 * moved away. Throws `ITEM_EXISTS` once if anything that lies aside was changed since; that is kept under
 * another name.
 */
export function finishPlacing(notes: Notes, base: string): void {
  const placing = readPlacing(notes.state)
  if (placing === undefined) return
  const aside = join(base, placing.aside)
  const changed: string[] = []
  for (const { path, before, after } of placing.skills) {
    const target = join(base, path)
    const now = fingerprintAt(target, base)
    if (after !== undefined && now === after.digest) notes.remember(target, after)
    else if (after === undefined && now?.startsWith('link:')) notes.forget(target)
    else if (isFree(target) && before !== undefined) putBack(target, { aside, before, base })
    const old = oldPlace(aside, target)
    if (!isFree(old) && fingerprintAt(old, base) !== before) changed.push(target)
  }
  notes.save()
  const kept = changed.length > 0 ? keepAside(aside, base) : undefined
  clearPlacing(notes.state)
  if (kept === undefined) removeTree(aside, { root: base })
  else throw changedAside(changed[0]!, kept)
}

/** Renames the folder so that it will not be swept. */
function keepAside(aside: string, base: string): string {
  const kept = join(dirname(aside), `rye-kept-${randomBytes(4).toString('hex')}`)
  move(aside, kept, { root: base })
  return kept
}

function changedAside(target: string, kept: string): AppError {
  return new AppError(
    'ITEM_EXISTS',
    `an earlier run was interrupted while it replaced \`${target}\`, and what it replaced was changed since`,
    { hint: `that is in \`${kept}\` now: take from it what you need, then run the command again` },
  )
}

function putBack(
  target: string,
  { aside, before, base }: { aside: string; before: string; base: string },
): void {
  const old = oldPlace(aside, target)
  if (fingerprintAt(old, base) !== before) return
  move(old, target, { root: base })
  syncMoves([dirname(target)], { root: base })
}

function isFree(target: string): boolean {
  return lstatSync(target, { throwIfNoEntry: false }) === undefined
}

function isPlacedSkill(value: unknown): value is PlacedSkill {
  if (!isRecord(value) || !isBelow(value.path)) return false
  const { before, after } = value
  if (before !== undefined && typeof before !== 'string') return false
  return after === undefined || (isRecord(after) && typeof after.digest === 'string')
}

function isBelow(path: unknown): path is string {
  return (
    typeof path === 'string' && path !== '' && path.split('/').every(name => !['', '.', '..'].includes(name))
  )
}
