// Reads thousands of skills in slices. In between, the caller gets progress and can cancel.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ActionContext } from '../definition/action.ts'

const TURN_MS = 50

/** Returns a function to call before each skill; it throws when the call is cancelled. */
export function readInTurns({
  signal,
  onProgress,
}: Pick<ActionContext, 'signal' | 'onProgress'>): (done: number, total: number) => Promise<void> {
  let since = Date.now()
  return async (done, total) => {
    // `abs`, in case the clock was set back.
    if (Math.abs(Date.now() - since) > TURN_MS) {
      // Process signals are not handled while files are read synchronously.
      await nextTurn()
      since = Date.now()
    }
    signal.throwIfAborted()
    onProgress({ message: 'reading skills', done, total })
  }
}
