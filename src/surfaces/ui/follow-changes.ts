// Tells the page what has changed since it last looked, checking a few times a second for as long as the page
// listens.
import { setTimeout as pause } from 'node:timers/promises'
import type { Send } from './line-stream.ts'
import type { Change, Versions } from './project-changes.ts'

const KINDS: readonly Change[] = ['items', 'runs', 'trust', 'sources']
const LOOK_EVERY_MS = 100
/**
 * A line is sent now and then even without a change, so that both sides notice when the connection is gone.
 */
const BEAT_EVERY_MS = 20_000

export async function followChanges(
  look: () => Promise<Versions>,
  send: Send,
  signal: AbortSignal,
): Promise<void> {
  let known = await look()
  let quiet = 0
  // What the page asked for before this may be older than the watch, so everything counts as changed once.
  send({ changed: KINDS })
  while (!signal.aborted) {
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const now = await look()
    const changed = KINDS.filter(kind => now[kind] !== known[kind])
    known = now
    quiet += LOOK_EVERY_MS
    if (changed.length === 0 && quiet < BEAT_EVERY_MS) continue
    quiet = 0
    send({ changed })
  }
}
