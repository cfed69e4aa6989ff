// The one rule for "unchanged": a file with the same size, inode, time of modification and time of change has not been written
// since. A program can restore the size and the time of modification, but not the time of change, unless it sets the clock
// of the system.
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

/** A state that is kept for later. Without a time of change it was not settled, and equals no other. */
export interface KnownState extends Omit<FileState, 'ctimeMs'> {
  readonly ctimeMs: number | null
}

/** The coarsest clock of a file system in use: FAT counts in steps of two seconds. */
const CLOCK_TICK_MS = 2000

export function fileState({ size, mtimeMs, ctimeMs, ino: inode }: Stats): FileState {
  return { size, mtimeMs, ctimeMs, inode }
}

/** The state of what is at a path, links not followed; undefined when there is nothing, or nothing that we may see. */
export function stateAt(path: string): FileState | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats && fileState(stats)
  } catch (thrown) {
    // There is a file on the way, or a folder that we may not enter.
    if (systemErrorCode(thrown) === undefined) throw thrown
    return undefined
  }
}

/** The same of what is below a root, where real folders lead to it. */
export function stateBelow(path: string, root: string): FileState | undefined {
  try {
    return inFolderOf(path, root, (folder, name) => stateAt(folder.at(name)))
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined && !(thrown instanceof NotAFolder)) throw thrown
    return undefined
  }
}

/**
 * Whether a file in this state, whose content is read at `readAt` or later, can be told unchanged afterwards. A file that is
 * written twice within one tick of the clock has the same times after both, so what is read of a file that is younger than a
 * tick, or from the future, may be older than its state says.
 */
export function isSettled({ mtimeMs, ctimeMs }: FileState, readAt: number): boolean {
  return readAt - Math.max(mtimeMs, ctimeMs) > CLOCK_TICK_MS
}

/** The state to keep of a file whose content is read at `readAt` or later. */
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
 * A stamp: one digest for the names and states of many files, the same as long as none of them is written. `about` is anything
 * else that it depends on, as JSON. Whether the states are settled is for the caller to ask.
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
