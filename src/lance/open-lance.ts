// A connection to LanceDB, in a directory or at any address that it accepts; credentials come from the environment, which
// LanceDB reads itself.
import type { Connection } from '@lancedb/lancedb'
import { AppError } from '../base/index.ts'
import { lanceError } from './lance-error.ts'
import { type Arrow, type Lance, loadLance } from './load-lance.ts'

export interface OpenLance {
  readonly lance: Lance
  readonly arrow: Arrow
  readonly connection: Connection
}

/** Bytes of indexes that are kept, and of descriptions of files and versions. LanceDB itself would keep up to 7 GB. */
const KEPT = { index: 512_000_000n, metadata: 256_000_000n }
/** Every write makes a version, and nobody asks for its description again. */
const METADATA_OF_WRITER = 4_000_000n

export interface ConnectOptions {
  /** Where the caller stands, for the command that installs what is missing. */
  readonly directory?: string | undefined
  /** Whether every query looks for what other processes have written; who does it by itself need not have it done. */
  readonly looksAlways: boolean
  /** Whether it mostly writes, of which little need be kept. */
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

/** Not a directory: there is no lock, and nothing to look at but what LanceDB answers. */
export function isAddress(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri)
}

/** Errors of LanceDB are about the address: unreachable, forbidden, out of space. */
export async function guardLance<T>(uri: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause
    throw lanceError(uri, cause)
  }
}

/** LanceDB cannot be interrupted: whoever waits for it need not. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  // What it ends with after all is of no interest to who has gone.
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
