// Reads what the kernel says about a process and its children in `/proc`. Without `/proc`, and for a process
// that is gone, nothing is known.
import { readdirSync, readFileSync } from 'node:fs'

export interface Usage {
  readonly memoryBytes: number
  /** Threads included. */
  readonly processes: number
}

/** Children of all its threads. */
export function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap(thread => {
      const listed = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
      return listed.split(' ').filter(Boolean).map(Number)
    })
  } catch {
    return []
  }
}

/** What a process and its descendants take together. Stops counting above `mostProcesses`. */
export function measureTree(root: number, mostProcesses: number): Usage {
  let memoryBytes = 0
  let processes = 0
  const found = [root]
  for (const pid of found) {
    const usage = usageOf(pid)
    memoryBytes += usage.memoryBytes
    processes += usage.processes
    if (processes > mostProcesses) break
    found.push(...childrenOf(pid))
  }
  return { memoryBytes, processes }
}

/**
 * Memory without pages of files, which the kernel can drop. Memory that forks share counts for each of them.
 */
function usageOf(pid: number): Usage {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    return { memoryBytes: 0, processes: 0 }
  }
  const field = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const kilobytes = field('RssAnon') + field('RssShmem') + field('VmSwap')
  return { memoryBytes: 1024 * kilobytes, processes: field('Threads') }
}

const CLOSE_ON_EXEC = 0o2000000

/**
 * Descriptors above the standard ones that our parent left open and that programs we start would inherit.
 * Node marks its own as closed on exec, but of inherited ones only the first few.
 */
export function inheritedDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter(descriptor => descriptor > 2 && isInherited(descriptor))
  } catch {
    return []
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // The descriptor that read the list, closed by now.
    return false
  }
}
