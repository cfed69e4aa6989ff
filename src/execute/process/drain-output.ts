// What a process said last. Its end may be known before its words are read: a busy event loop hears of every child that has
// ended when it hears of one, and comes to its timers, whose time has long passed by then, before it looks at pipes.
import type { Readable } from 'node:stream'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'

/** Nothing that goes on writing is listened to for longer. */
const MOST_MS = 2_000

/**
 * Waits until streams that somebody reads have closed. Where something still holds them open: for a moment, and then, however late
 * that moment has come, until a look at them brings nothing more.
 */
export async function hearLastWords(streams: readonly Readable[], momentMs: number): Promise<void> {
  const open = streams.filter(stream => !stream.closed)
  let heard = 0
  const count = () => {
    heard += 1
  }
  for (const stream of open) stream.on('data', count)
  const closed = Promise.all(
    open.map(stream => new Promise<void>(resolve => void stream.once('close', resolve))),
  )
  const quiet = async () => {
    await pause(momentMs)
    const latest = performance.now() + MOST_MS
    let before: number
    do {
      before = heard
      // Pipes are looked at between timers and this; what they brought is handed out until the next.
      await turn()
      await turn()
    } while (heard > before && performance.now() < latest)
  }
  await Promise.race([closed, quiet()])
  for (const stream of open) stream.off('data', count)
}
