// How much of the machine one run may take. The kernel limits the memory and file size of each process and,
// unless we are root, the number of all of them. What they take together is counted by `watch-resources.ts`.
import { release, totalmem } from 'node:os'
import type { Plan } from '../../plan/index.ts'

export interface ResourceLimits {
  readonly memoryBytes: number
  /** Threads count too. */
  readonly processes: number
  readonly fileBytes: number
}

/** As users and tools write them. */
export type DeclaredLimits = Plan['permissions']['limits']

const MB = 1024 * 1024
/** More than a parallel build needs, less than a fork bomb. */
const MOST_PROCESSES = 4_096
const LARGEST_FILE = 8_192 * MB
/** An interpreter and its libraries fit into this on the smallest machine. */
const LEAST_MEMORY = 1_024 * MB

/** The user decides, and a tool may ask for less. */
export function resourceLimits(user: DeclaredLimits = {}, tool: DeclaredLimits = {}): ResourceLimits {
  const pick = (name: keyof typeof user, unit: number, standard: number) =>
    Math.min(unit * (user[name] ?? standard / unit), unit * (tool[name] ?? Number.POSITIVE_INFINITY))
  return {
    memoryBytes: pick('memory_mb', MB, Math.max(LEAST_MEMORY, Math.floor(totalmem() / 2))),
    processes: pick('processes', 1, MOST_PROCESSES),
    fileBytes: pick('file_mb', MB, LARGEST_FILE),
  }
}

/**
 * Shell commands that limit the shell and whatever it becomes. A limit that is lower already stays, and the
 * kernel does not count root's processes.
 * Memory is what only the process itself could write to (`-d`): a limit on addresses would stop interpreters
 * that only reserve them.
 */
export function limitCommands(limits: ResourceLimits, kernel: string = release()): string[] {
  const { memoryBytes, processes, fileBytes } = limits
  return [
    `ulimit -d ${Math.floor(memoryBytes / 1024)} 2>/dev/null`,
    // POSIX counts blocks of 512 bytes.
    `ulimit -f ${Math.floor(fileBytes / 512)} 2>/dev/null`,
    // Shells use different letters for this.
    ...(countsProcessesPerSandbox(kernel)
      ? [`{ ulimit -u ${processes} || ulimit -p ${processes}; } 2>/dev/null`]
      : []),
  ]
}

/**
 * Since Linux 5.14 processes are counted per user namespace; before that, all processes of the user would
 * count.
 */
function countsProcessesPerSandbox(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(part => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 14)
}
