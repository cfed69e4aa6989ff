// Tells the page what has changed since it last looked: items, runs, or whom the user trusts. It looks a few times a second while
// somebody listens, and the kernel has queued what happened in between.
import { setTimeout as pause } from 'node:timers/promises'
import { stateAt } from '../../files/index.ts'
import { watchRoots } from '../../scan/index.ts'
import { approvalFolder, receiptsPath, revokedKeyFolder, trustedKeyFolder } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { Send } from './line-stream.ts'

export type Change = 'items' | 'runs' | 'trust'

const LOOK_EVERY_MS = 250
/** A line now and then, so that a connection that is gone is noticed on both sides. */
const BEAT_EVERY_MS = 20_000

export async function followChanges(
  library: Library,
  projectPath: string,
  send: Send,
  signal: AbortSignal,
): Promise<void> {
  const { roots } = await library.open(projectPath)
  const watch = watchRoots()
  try {
    watch.rearm(roots)
    let known = stampsOf(library, projectPath)
    let quiet = 0
    // What the page has asked for before this is older than the watch.
    send({ changed: ['items', 'runs', 'trust'] satisfies Change[] })
    while (!signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
      const stamps = stampsOf(library, projectPath)
      const changed: Change[] = (['runs', 'trust'] as const).filter(name => stamps[name] !== known[name])
      known = stamps
      if (watch.isDirty()) {
        watch.rearm(roots)
        changed.push('items')
      }
      quiet += LOOK_EVERY_MS
      if (changed.length === 0 && quiet < BEAT_EVERY_MS) continue
      quiet = 0
      send({ changed })
    }
  } finally {
    watch.close()
  }
}

function stampsOf(library: Library, projectPath: string): { readonly runs: string; readonly trust: string } {
  const state = library.states.find(projectPath)
  const { userSpace } = library
  const folders = [
    ...[trustedKeyFolder(userSpace), revokedKeyFolder(userSpace)],
    ...[approvalFolder(userSpace), approvalFolder(projectPath)],
  ]
  return {
    runs: state === undefined ? '' : stampOf(receiptsPath(state.path)),
    trust: folders.map(stampOf).join(),
  }
}

function stampOf(path: string): string {
  return JSON.stringify(stateAt(path) ?? null, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
