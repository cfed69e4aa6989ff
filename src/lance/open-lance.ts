// A connection to LanceDB, in a directory or at any address that it accepts. LanceDB reads credentials from
// the environment itself.
import type { Connection } from '@lancedb/lancedb'
import { AppError } from '../base/index.ts'
import { lanceError } from './lance-error.ts'
import { type Arrow, type Lance, loadLance } from './load-lance.ts'

export interface OpenLance {
  readonly lance: Lance
  readonly arrow: Arrow
  readonly connection: Connection
}

/**
 * Cache sizes in bytes: for indexes, and for metadata of files and versions. By default LanceDB would keep up
 * to 7 GB.
 */
const KEPT = { index: 512_000_000n, metadata: 256_000_000n }
/** Every write makes a version whose metadata is never read again. */
const METADATA_OF_WRITER = 4_000_000n

export interface ConnectOptions {
  /** The caller's current directory, for the command that installs missing packages. */
  readonly directory?: string | undefined
  /**
   * Whether every query checks what other processes have written. A caller that checks for itself doesn't
   * need this.
   */
  readonly looksAlways: boolean
  /** Whether it mostly writes, so that little needs to be cached. Default false. */
  readonly isWriter?: boolean | undefined
}

export async function connectLance(
  uri: string,
  { directory, looksAlways, isWriter = false }: ConnectOptions,
): Promise<OpenLance> {
  const { lance, arrow } = await loadLance(directory)
  const session = new lance.Session(KEPT.index, isWriter ? METADATA_OF_WRITER : KEPT.metadata)
  const options = { session, ...(looksAlways && { readConsistencyInterval: 0 }) }
  return { lance, arrow, connection: await lance.connect(uri, options) }
}

/**
 * Whether it is an address rather than a directory: there is then no lock, and only LanceDB can say what
 * exists.
 */
export function isAddress(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri)
}

/** Wraps errors of LanceDB. They are about the address: unreachable, forbidden, out of space. */
export async function guardLance<T>(uri: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause
    throw lanceError(uri, cause)
  }
}

/** LanceDB cannot be interrupted, so an aborted caller stops waiting for it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  // After an abort nobody is interested in how the work ends.
  work.catch(() => {})
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
