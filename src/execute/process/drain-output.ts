// Waits for what a process wrote before it ended. Its exit may be reported first: when a busy event loop
// learns of one child that has ended, it learns of all of them, and it runs its timers, all overdue by then,
// before it reads from pipes.
import type { Readable } from 'node:stream'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

/** The longest that something that keeps writing is read. */
const MOST_MS = 2_000

/**
 * Waits until the streams, which the caller reads, have closed. If another process still holds them open,
 * waits for `quietMs` and then, however late that timer ran, until a turn of the event loop brings no more
 * data.
 */
export async function drainOutput(streams: readonly Readable[], quietMs: number): Promise<void> {
  const open = streams.filter(stream => !stream.closed)
  let chunks = 0
  const count = () => {
    chunks += 1
  }
  for (const stream of open) stream.on('data', count)
  const closed = Promise.all(
    open.map(stream => new Promise<void>(resolve => void stream.once('close', resolve))),
  )
  const quiet = async () => {
    await pause(quietMs)
    const latest = performance.now() + MOST_MS
    let before: number
    do {
      before = chunks
      // Pipes are polled between timers and immediates; what was read is delivered by the next turn.
      await turn()
      await turn()
    } while (chunks > before && performance.now() < latest)
  }
  await Promise.race([closed, quiet()])
  for (const stream of open) stream.off('data', count)
}
