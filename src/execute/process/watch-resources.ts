// Counts what the processes of a run take together, and watches the disk that they write to. The kernel
// limits each process by itself, and does not limit the number of root's. Control groups would do both, but
// we can seldom create them.
import { DiskReserve } from './disk-reserve.ts'
import { measureTree, type Usage } from './process-tree.ts'
import type { ResourceLimits } from './resource-limits.ts'

const INTERVAL_MS = 250
/**
 * Counting thousands of processes takes a while, so we pause nine times as long: it takes a tenth of our time
 * at most.
 */
const REST = 9

export interface Watched {
  /** The first process of the run. */
  readonly root: number
  /** Where it writes. */
  readonly folder: string
  readonly limits: ResourceLimits
}

/**
 * Calls `onExceeded` once, with a description, when the run takes more than it may. Returns a function that
 * stops watching.
 */
export function watchResources(
  { root, folder, limits }: Watched,
  onExceeded: (what: string) => void,
): () => void {
  if (process.platform !== 'linux') return () => {}
  const disk = new DiskReserve(folder)
  let timer: NodeJS.Timeout
  const schedule = (ms: number) => {
    timer = setTimeout(look, ms)
    timer.unref()
  }
  const look = () => {
    const began = performance.now()
    const exceeded = describeExcess(measureTree(root, limits.processes), limits) ?? disk.describeExcess()
    if (exceeded === null) schedule(Math.max(INTERVAL_MS, REST * (performance.now() - began)))
    else onExceeded(exceeded)
  }
  schedule(INTERVAL_MS)
  return () => clearTimeout(timer)
}

export function describeExcess(usage: Usage, limits: ResourceLimits): string | null {
  if (usage.processes > limits.processes) return `more than ${limits.processes} processes`
  if (usage.memoryBytes <= limits.memoryBytes) return null
  return `more than ${Math.floor(limits.memoryBytes / 1024 / 1024)} MB of memory`
}
