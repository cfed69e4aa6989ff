// The bubblewrap of this machine, if it works. It is tried with the arguments that will be used: if a kernel
// or container forbids user namespaces, that fails rather than the first tool. What worked once in this
// process is not tried again: starting a process costs the more, the more memory ours has. What failed is.
import { AppError } from '../../base/index.ts'
import { captureProcess } from '../process/capture-process.ts'
import type { ProcessTable } from '../process/spawn.ts'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'
import { privateDirectories } from './describe-sandbox.ts'
import { compileCallFilter } from './filter/call-filter.ts'
import { examine } from './protect-paths.ts'

export interface Bubblewrap {
  readonly command: string
  /** Denies the system calls that no tool needs. Undefined where the kernel does not accept our filter. */
  readonly filter: Uint8Array | undefined
}

/** Where it may be. Never looked for on `PATH`: a project could have put one there. */
export const BUBBLEWRAP_PLACES = [
  '/usr/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]
/** Long: if a busy machine failed the probe, all runs of this server would go without a sandbox. */
const PROBE_MS = 30_000

/** By the first of the places that holds a file. */
const working = new Map<string, Bubblewrap>()

export async function findBubblewrap(
  table: ProcessTable,
  places: readonly string[],
): Promise<Bubblewrap | null> {
  if (process.platform !== 'linux') return null
  const command = places.find(path => examine(path) !== null)
  if (command === undefined) return null
  const found = working.get(command) ?? (await probe(table, command))
  if (found !== null) working.set(command, found)
  return found
}

async function probe(table: ProcessTable, command: string): Promise<Bubblewrap | null> {
  const filter = compileCallFilter(process.arch)
  if (filter && (await works(table, command, filter))) return { command, filter }
  return (await works(table, command, undefined)) ? { command, filter: undefined } : null
}

async function works(table: ProcessTable, command: string, filter: Uint8Array | undefined): Promise<boolean> {
  const mounts = privateDirectories().map(path => ({ path, kind: 'directory', access: 'private' }) as const)
  const sandbox = { mounts, links: [], cwd: '/', filterDescriptor: filter && 3 }
  const args = [...bubblewrapArguments(sandbox), '/bin/sh', '-c', ':']
  const request = { command, args, cwd: '/', env: {}, filter }
  const bounds = { stdin: '', timeoutMs: PROBE_MS, outputBytes: 4_096 }
  try {
    return (await captureProcess(table, request, bounds)).exitCode === 0
  } catch (thrown) {
    // A file that cannot be run is as good as none. Any other failure to start a process says nothing about
    // bubblewrap.
    if (thrown instanceof AppError && thrown.code === 'INTERPRETER_MISSING') return false
    throw thrown
  }
}
