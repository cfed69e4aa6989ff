// Settings of the process for LanceDB, which it may load later.
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'

const LEAVE_MS = 100

const READ_AHEAD = 32 * 1024 * 1024
const ROWS_AT_ONCE = 512
/**
 * In megabytes as LanceDB counts them; its real use is about three times that. A larger value leaves fewer
 * parts for a query to look into.
 */
const WORDS_AT_ONCE = 128

/**
 * LanceDB reads these variables when it is loaded. By default it would report on standard error that a table
 * is about to be made, and with two threads it would stall for minutes while it writes many rows. It would
 * also read 2 GB ahead, 8192 rows at a time, and build an index of words in several 256 MB parts at once: for
 * a million items that is more memory than a sync may take.
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

/**
 * LanceDB cannot be interrupted. Exits without waiting for calls that nobody needs any more, once all output
 * is written.
 */
export function leaveLance(): void {
  const loaded = Object.keys(createRequire(import.meta.url).cache ?? {})
  if (!loaded.some(path => path.includes('lancedb'))) return
  const leave = () => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
    else setTimeout(leave, LEAVE_MS).unref()
  }
  setTimeout(leave, LEAVE_MS).unref()
}
