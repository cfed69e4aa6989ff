// Gives back what is no longer needed, now: V8 does so by itself only when it needs memory again.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Takes tens of milliseconds: for moments at which nobody waits. */
export function releaseMemory(): void {
  collect ??= findCollector()
  collect()
}

function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as () => void
  } finally {
    // Compiled code is kept for the flags that it was compiled under.
    setFlagsFromString('--no-expose-gc')
  }
}
