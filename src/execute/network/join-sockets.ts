// Two connections as one: bytes both ways, each side as slowly as the other reads, and each end passed on. When one breaks, the other
// is broken too; when one has ended well, the other still gets what was said before.
import type { Socket } from 'node:net'

/** Tunnels of programs that wait for news are silent for minutes. */
export const IDLE_MS = 600_000

export function joinSockets(first: Socket, second: Socket): void {
  // One that has closed before does not say so again.
  if (first.destroyed || second.destroyed) {
    first.destroy()
    second.destroy()
    return
  }
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const) {
    from.pipe(to)
    from.setTimeout(IDLE_MS, () => from.destroy())
    from.on('error', () => to.destroy())
    from.on('close', () => {
      if (from.readableEnded && !to.writableFinished) to.once('finish', () => to.destroy())
      else to.destroy()
    })
  }
}
