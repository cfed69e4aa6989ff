// Thousands of skills are read in turns: in between, whoever asked learns how far it is, and can end it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ActionContext } from '../definition/action.ts'

const TURN_MS = 50

/** To be called before each skill; ends the reading when the call is cancelled. */
export function readInTurns({
  signal,
  onProgress,
}: Pick<ActionContext, 'signal' | 'onProgress'>): (done: number, total: number) => Promise<void> {
  let since = Date.now()
  return async (done, total) => {
    // Also where the clock was put back.
    if (Math.abs(Date.now() - since) > TURN_MS) {
      // A signal of the system is not noticed while files are read one after another.
      await nextTurn()
      since = Date.now()
    }
    signal.throwIfAborted()
    onProgress({ message: 'reading skills', done, total })
  }
}
