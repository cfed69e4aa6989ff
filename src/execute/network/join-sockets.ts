// Joins two connections: bytes flow both ways, each side sends no faster than the other reads, and ends are
// passed on. When one breaks, the other is destroyed, too. When one has ended properly, the other still gets
// everything sent before.
import type { Socket } from 'node:net'

/** Tunnels of programs that wait for news may be silent for minutes. */
export const IDLE_MS = 600_000

export function joinSockets(first: Socket, second: Socket): void {
  // A socket that is closed already does not emit `close` again.
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
