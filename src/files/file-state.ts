// The one rule for "unchanged": a file with the same size, inode, time of modification and time of change has
// not been written since. A program can restore the size and the time of modification, but not the time of
// change, unless it sets the system clock.
import { lstatSync, type Stats } from 'node:fs'
import { sha256Hex, systemErrorCode } from '../base/index.ts'
import { inFolderOf, NotAFolder } from './folder.ts'

export interface FileState {
  readonly size: number
  readonly mtimeMs: number
  /** When the system last changed the file or its attributes; no program can set it. */
  readonly ctimeMs: number
  readonly inode: number
}

/** A state kept for later. With a null `ctimeMs` it was not settled, and equals no other state. */
export interface KnownState extends Omit<FileState, 'ctimeMs'> {
  readonly ctimeMs: number | null
}

/** The coarsest file system clock in use: FAT counts in steps of two seconds. */
const CLOCK_TICK_MS = 2000

export function fileState({ size, mtimeMs, ctimeMs, ino: inode }: Stats): FileState {
  return { size, mtimeMs, ctimeMs, inode }
}

/** The state at a path, links not followed. Undefined when nothing is there, or we may not see it. */
export function stateAt(path: string): FileState | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats && fileState(stats)
  } catch (thrown) {
    // A parent is a file, or a folder that we may not enter.
    if (systemErrorCode(thrown) === undefined) throw thrown
    return undefined
  }
}

/** Like `stateAt`, for a path below a root that is reached through real folders only; undefined otherwise. */
export function stateBelow(path: string, root: string): FileState | undefined {
  try {
    return inFolderOf(path, root, (folder, name) => stateAt(folder.at(name)))
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined && !(thrown instanceof NotAFolder)) throw thrown
    return undefined
  }
}

/**
 * Whether later changes to a file will show in its state, if it was in this state and its content is read at
 * `readAt` or later. A file written twice within one clock tick has the same times after both writes. So
 * content read from a file younger than a tick, or dated in the future, may be older than its state says.
 */
export function isSettled({ mtimeMs, ctimeMs }: FileState, readAt: number): boolean {
  return readAt - Math.max(mtimeMs, ctimeMs) > CLOCK_TICK_MS
}

/** The state to keep for a file whose content is read at `readAt` or later. */
export function knownState(state: FileState, readAt: number): KnownState {
  const { size, mtimeMs, ctimeMs, inode } = state
  return { size, mtimeMs, ctimeMs: isSettled(state, readAt) ? ctimeMs : null, inode }
}

export function isSameState(known: KnownState, { size, mtimeMs, ctimeMs, inode }: FileState): boolean {
  return (
    known.size === size && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs && known.inode === inode
  )
}

/**
 * A stamp: one digest of the names and states of many files, unchanged as long as none of them is written.
 * `about` is anything else that it depends on, as JSON. The caller checks whether the states are settled.
 */
export function stampFiles(
  about: unknown,
  files: readonly (FileState & { readonly path: string })[],
): string {
  const names = JSON.stringify([about, files.map(file => file.path)])
  // As bytes: printing four numbers for each of ten thousand files takes longer than all else here.
  const states = new Float64Array(files.length * 4)
  files.forEach(({ size, mtimeMs, ctimeMs, inode }, index) => {
    states.set([size, mtimeMs, ctimeMs, inode], index * 4)
  })
  return sha256Hex(Buffer.concat([Buffer.from(names), new Uint8Array(states.buffer)]))
}
