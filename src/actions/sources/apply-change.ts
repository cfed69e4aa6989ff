// Applies a change to a space: files, approvals and the lock. Everything needed, and a note of what will be
// done, is on disk before the first file is touched; if the run is killed, the next one finishes it. So a
// space ends up in its old state or its new one.
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { AppError, countOf, isRecord, putAside, sha256Hex } from '../../base/index.ts'
import {
  atomicWrite,
  readFile,
  removeEmptyFolders,
  removeFile,
  stateAt,
  sweepFolders,
  writeAll,
} from '../../files/index.ts'
import { type Lock, type LockedItem, printLock } from '../../sources/index.ts'
import { acceptedFiles, approvalFolder, makeUserSpace } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import { readPlaced, writePlaced } from './placed-items.ts'
import { pruneAccepted } from './prune-accepted.ts'
import { inTurn, isTurnTaken } from './space-lock.ts'
import { lockPath, type Target } from './target.ts'

export interface SpaceChange {
  /** Path relative to the folder that holds `.ai/` → content. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Files to delete. */
  readonly removed: readonly string[]
  /** Approval documents: file name → text, or null to delete it. */
  readonly approvals: ReadonlyMap<string, string | null>
  readonly lock: Lock
  /** The items of the lock that these files belong to. */
  readonly placed?: readonly LockedItem[]
  /** More accepted content to keep by digest; `files` are always kept. */
  readonly kept?: readonly Uint8Array[]
  /** Called with the share of files that are on disk. */
  onShare?(share: number): void
}

const NOTE = 'unfinished-change.json'
const NOTE_BYTES = 64 * 1024 * 1024
const SCRIPT_MODE = 0o755
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Runs one change at a time, after finishing what was left unfinished. `state` is the folder of the user's
 * state for this space.
 */
export async function changeSpace<T>(
  library: Library,
  target: Target,
  work: (apply: (change: SpaceChange) => void, state: string) => Promise<T>,
): Promise<T> {
  return inTurn(library, target.base, async state => {
    finishChange(library, target, state)
    const before = digestAt(lockPath(target), target.base)
    return work(change => {
      // The user may take a while to answer, and may pull in the meantime.
      if (digestAt(lockPath(target), target.base) !== before) throw changedMeanwhile('.ai/rye.lock')
      apply(library, target, { state, change })
    }, state)
  })
}

export function changedMeanwhile(what: string): AppError {
  return new AppError('WRITE_FAILED', `\`${what}\` was changed meanwhile, and nothing was written`, {
    hint: 'run the command again',
  })
}

/**
 * What is to be done: the digests of kept files, and of what was there before. Whatever somebody writes after
 * an interruption is left alone.
 */
interface Note {
  readonly files: readonly (readonly [path: string, digest: string, before: string | null])[]
  readonly removed: readonly (readonly [path: string, before: string | null])[]
  readonly approvals: readonly (readonly [name: string, text: string | null])[]
  readonly lock: string
  readonly lock_before: string | null
  /** All items of the lock that were put into place on this machine: name and digest. */
  readonly placed?: readonly (readonly [name: string, digest: string])[]
}

function apply(
  library: Library,
  target: Target,
  { state, change }: { state: string; change: SpaceChange },
): void {
  const kept = acceptedFiles(library.userSpace)
  kept.keep([...(change.kept ?? []), ...change.files.values()])
  const { base: root } = target
  const before = (path: string) => digestAt(join(root, path), root)
  const note: Note = {
    files: Array.from(change.files, ([path, bytes]) => [path, sha256Hex(bytes), before(path)] as const),
    removed: change.removed.map(path => [path, before(path)] as const),
    approvals: [...change.approvals],
    lock: printLock(change.lock),
    lock_before: digestAt(lockPath(target), root),
    placed: [...placedAfter(state, change)],
  }
  atomicWrite(join(state, NOTE), `${JSON.stringify({ version: 2, ...note })}\n`, { root: state, mode: 0o600 })
  try {
    place(target, note, change)
  } catch (thrown) {
    // All files are written or none: a failed write has changed nothing.
    undo(target, state, change)
    throw thrown
  }
  settle(target, state, note)
  pruneAccepted(library)
}

function placedAfter(state: string, { lock, placed = [] }: SpaceChange): Map<string, string> {
  const names = new Set(lock.sources.flatMap(({ items }) => items.map(({ name }) => name)))
  const before = [...readPlaced(state)].filter(([name]) => names.has(name))
  return new Map([...before, ...placed.map(({ name, digest }) => [name, digest] as const)])
}

function undo({ base: root }: Target, state: string, { approvals }: SpaceChange): void {
  removeFile(join(state, NOTE), { root: state })
  for (const [name, text] of approvals)
    if (text !== null) removeFile(join(approvalFolder(root), name), { root })
}

/** Whether the lock was changed since by something else: the note then no longer applies. */
function isOutdated(target: Target, note: Note): boolean {
  const lock = digestAt(lockPath(target), target.base)
  return lock !== note.lock_before && lock !== sha256Hex(note.lock)
}

/**
 * Finishes what a killed run began. Files edited since stay as they are; if the lock was changed, nothing
 * more is done.
 */
function finishChange({ userSpace }: Library, target: Target, state: string): void {
  const written = readNote(state)
  if (written === undefined) return
  const { base: root } = target
  if (isOutdated(target, written)) {
    removeFile(join(state, NOTE), { root: state })
    return
  }
  const isAsBefore = (path: string, before: string | null) => digestAt(join(root, path), root) === before
  const note = {
    ...written,
    files: written.files.filter(([path, , before]) => isAsBefore(path, before)),
    // For a file that is already deleted, its empty folder may remain.
    removed: written.removed.filter(([path, before]) => isAsBefore(path, before) || isAsBefore(path, null)),
  }
  const kept = acceptedFiles(userSpace)
  const files = note.files.map(([path, digest]) => [path, kept.find(digest)] as const)
  const lost = files.find(([, bytes]) => bytes === undefined)
  if (lost) {
    throw new AppError(
      'FILE_UNREADABLE',
      `an earlier run was interrupted, and \`${lost[0]}\` is not kept any more`,
      {
        hint: `remove \`${join(state, NOTE)}\`, then run \`rye install\``,
      },
    )
  }
  sweepFolders(
    written.files.map(([path]) => join(root, path)),
    root,
  )
  place(target, note, { files: new Map(files as [string, Uint8Array][]) })
  settle(target, state, note)
}

/**
 * Writes approvals first, so that at any moment the files in the space are either the old accepted ones or
 * the new accepted ones.
 */
function place(
  { base: root, space }: Target,
  { approvals, files: listed }: Note,
  { files, onShare }: Pick<SpaceChange, 'files' | 'onShare'>,
): void {
  if (space === 'user') makeUserSpace(root)
  for (const [name, text] of approvals)
    if (text !== null) atomicWrite(join(approvalFolder(root), name), text, { root, mode: 0o644 })
  const changed = listed.filter(([, digest, before]) => digest !== before)
  const written = new Map(changed.map(([path]) => [join(root, path), files.get(path)!]))
  writeAll(written, { root, modeFor, ...(onShare && { onShare }) })
}

/** From here on there is no way back: the next run completes whatever fails. */
function settle(target: Target, state: string, { removed, approvals, lock, placed }: Note): void {
  const { base: root } = target
  for (const [path] of removed) {
    removeFile(join(root, path), { root })
    removeEmptyFolders(join(root, path, '..'), { root, keep: join(root, '.ai') })
  }
  atomicWrite(lockPath(target), lock, { root, mode: 0o644 })
  for (const [name, text] of approvals)
    if (text === null) removeFile(join(approvalFolder(root), name), { root })
  if (placed) writePlaced(state, new Map(placed))
  removeFile(join(state, NOTE), { root: state })
}

/** Null when there is no file. A file larger than any of ours is identified by its size. */
function digestAt(path: string, root: string): string | null {
  const size = stateAt(path)?.size ?? 0
  if (size > MOST_BYTES) return `${size} bytes`
  const there = readFile(path, { root, maxBytes: MOST_BYTES })?.bytes
  return there === undefined ? null : sha256Hex(there)
}

/**
 * Archives and repositories disagree about permission bits; a file with a shebang is meant to be executable.
 */
function modeFor(content: Uint8Array): number | undefined {
  const isScript = content[0] === 0x23 && content[1] === 0x21 && isUtf8(content)
  return isScript ? SCRIPT_MODE : undefined
}

/**
 * Describes an unfinished change that a killed run left, with the command that finishes it. If the note is
 * unreadable and so blocks every change, the command puts it aside. Undefined while a run is working on it.
 */
export function findUnfinished(
  { states }: Library,
  target: Target,
): { message: string; fix: string } | undefined {
  const state = states.find(target.base)?.path
  if (state === undefined || isTurnTaken(state)) return undefined
  try {
    const note = readNote(state)
    if (note === undefined || isOutdated(target, note)) return undefined
    return { message: describeNote(note), fix: `rye install${target.space === 'user' ? ' --to user' : ''}` }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { message: thrown.message, fix: putAside(join(state, NOTE)) }
  }
}

function describeNote({ files, removed }: Note): string {
  const [first = ''] = [...files, ...removed].map(([path]) => path)
  const counts = `${countOf(files.length, 'file')} to be written, ${removed.length} to be removed`
  const which = first === '' ? counts : `${counts}, the first \`${first}\``
  return `a change to the items here was interrupted (${which}); the next \`add\`, \`update\` or \`remove\` finishes it, or:`
}

/** Throws `FILE_UNREADABLE`. */
function readNote(state: string): Note | undefined {
  const path = join(state, NOTE)
  const text = readFile(path, { maxBytes: NOTE_BYTES })?.bytes.toString('utf8')
  if (text === undefined) return undefined
  const note = parseNote(text)
  if (note) return note
  throw new AppError(
    'FILE_UNREADABLE',
    `an earlier run was interrupted, and its note \`${path}\` is damaged, or of another version of rye`,
    {
      hint: `put it aside with \`${putAside(path)}\`; \`rye doctor\` then says what is not as it was locked`,
    },
  )
}

function isListOfLists(value: unknown): boolean {
  return Array.isArray(value) && value.every(entry => Array.isArray(entry) && typeof entry[0] === 'string')
}

function parseNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text)
    const isNote =
      isRecord(note) &&
      note.version === 2 &&
      typeof note.lock === 'string' &&
      [note.files, note.removed, note.approvals].every(isListOfLists)
    // This program wrote it, in a folder that only this user can write.
    return isNote ? (note as unknown as Note) : undefined
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    return undefined
  }
}
