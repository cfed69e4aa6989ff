// The lock file of a space, and the mutex for changing it.
import { join } from 'node:path'
import { acquireMutex, isMutexHeld, readFile } from '../../files/index.ts'
import { EMPTY_LOCK, LOCK_BYTES, LOCK_FILE, type Lock, parseLock } from '../../sources/index.ts'
import type { Library } from '../../workspace/index.ts'

const TURN_FILE = 'sources.lock'
const TURN = { waitMs: 60_000, holdMs: 120_000 }

/**
 * Runs one change to the items of sources at a time. `state` is the folder of the user's state for this
 * space.
 */
export async function inTurn<T>(
  library: Library,
  base: string,
  work: (state: string) => Promise<T>,
): Promise<T> {
  const state = library.states.make(base).path
  const mutex = await acquireMutex(join(state, TURN_FILE), {
    ...TURN,
    subject: 'adding and removing items',
  })
  try {
    return await work(state)
  } finally {
    mutex.release()
  }
}

/** Whether a process is changing the space. */
export function isTurnTaken(state: string): boolean {
  return isMutexHeld(join(state, TURN_FILE), TURN.holdMs)
}

/** `base` is the folder that holds `.ai/`. */
export function lockPathIn(base: string): string {
  return join(base, '.ai', LOCK_FILE)
}

/** Throws `ITEM_MALFORMED`. */
export function readLockIn(base: string): Lock {
  const text = readFile(lockPathIn(base), { maxBytes: LOCK_BYTES, root: base })?.bytes.toString('utf8')
  return text === undefined ? EMPTY_LOCK : parseLock(text)
}
