// What an install is about to put into its place: noted before the first rename, so that a run which was killed is finished by the next
// one, and everything that it did put there is known as its own. It is kept with the user: what lies aside may have been changed
// since by a tool that runs in the project, so nothing is put back unless it is what was noted.
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
  /** Below the project or the home, with `/`. */
  readonly path: string
  /** The fingerprint of what was there; absent if nothing was. */
  readonly before?: string
  /** Of a copy; a link is not remembered. */
  readonly after?: InstalledNote
}

export interface Placing {
  /** The folder aside, below the project or the home. */
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

/** Where what is replaced lies until the other is in its place. */
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
 * After a run that was killed: remembers what it has put into its place, and puts back what it had only taken away. Throws `ITEM_EXISTS`
 * once, if something that lies aside was changed since: that is kept under another name.
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

/** A name that is not swept. */
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
