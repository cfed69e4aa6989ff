// What LanceDB needs of the process that may load it.
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'

const LEAVE_MS = 100

const READ_AHEAD = 32 * 1024 * 1024
const ROWS_AT_ONCE = 512
/** In megabytes as LanceDB counts them; it takes about three times as much. The more, the fewer parts a question has to look into. */
const WORDS_AT_ONCE = 128

/**
 * LanceDB reads these when it is loaded. It would report on standard error that a table is about to be made, and with two threads it
 * stands still for minutes while it writes many rows. Left alone it reads 2 GB ahead and 8192 rows at a time, and makes an index of words
 * in several parts of 256 MB at once: of a million items that is more memory than a sync may take.
 */
export function prepareLance(): void {
  process.env.LANCE_CPU_THREADS ??= String(Math.max(3, availableParallelism()))
  process.env.LANCE_DEFAULT_IO_BUFFER_SIZE ??= String(READ_AHEAD)
  process.env.LANCE_DEFAULT_BATCH_SIZE ??= String(ROWS_AT_ONCE)
  process.env.LANCE_FTS_NUM_SHARDS ??= '1'
  process.env.LANCE_FTS_PARTITION_SIZE ??= String(WORDS_AT_ONCE)
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
