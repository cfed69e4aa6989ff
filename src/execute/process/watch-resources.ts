// Counts what the processes of a run take together, and looks at the disk that they write to. The kernel limits processes one by one, and the number of root's not at all;
// control groups would do both, and are seldom ours to make.
import { DiskReserve } from './disk-reserve.ts'
import { measureTree, type Usage } from './process-tree.ts'
import type { ResourceLimits } from './resource-limits.ts'

const INTERVAL_MS = 250
/** Counting thousands of processes takes a while: it is a tenth of our time at most. */
const REST = 9

export interface Watched {
  /** The first process of the run. */
  readonly root: number
  /** Where it writes. */
  readonly folder: string
  readonly limits: ResourceLimits
}

/** Calls `onExceeded` once, in words, when the run takes more than it may. Returns how to stop. */
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
