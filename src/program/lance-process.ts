// What LanceDB needs of the process that may load it.
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'

const LEAVE_MS = 100

/**
 * LanceDB reads these when it is loaded. It would report on standard error that a table is about to be made, and with two threads it
 * stands still for minutes while it writes many rows.
 */
export function prepareLance(): void {
  process.env.LANCE_CPU_THREADS ??= String(Math.max(3, availableParallelism()))
  process.env.LANCEDB_LOG ??= 'error'
  process.env.RUST_LOG ??= 'error'
}

/** LanceDB cannot be interrupted: what it was asked and nobody waits for any more does not hold up the end, unless output is still on its way. */
export function leaveLance(): void {
  const loaded = Object.keys(createRequire(import.meta.url).cache ?? {})
  if (!loaded.some(path => path.includes('lancedb'))) return
  const leave = () => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
    else setTimeout(leave, LEAVE_MS).unref()
  }
  setTimeout(leave, LEAVE_MS).unref()
}
