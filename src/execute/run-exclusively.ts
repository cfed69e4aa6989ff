// The mutex of a tool that runs once at a time in a project, across all servers of a user. It is bound to the
// tool's processes, so it is held as long as they live, even if this server is killed.
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { acquireMutex } from '../files/index.ts'
import type { Plan } from '../plan/index.ts'
import type { ProjectStates } from '../user/index.ts'

/** Time beyond the plan's own for starting and ending the tool. */
const SLACK_MS = 10_000
/** No tool runs for longer than a day. */
const LONGEST_MS = 25 * 3_600_000

export interface ExclusiveRun {
  readonly plan: Plan
  readonly states: Pick<ProjectStates, 'make'>
  readonly signal: AbortSignal | undefined
}

/**
 * Runs `work` under the mutex, if the plan asks for one. `work` gets a function that it must call with the
 * tool's processes.
 */
export async function runExclusively<T>(
  { plan, states, signal }: ExclusiveRun,
  work: (onStarted?: (pids: readonly number[]) => void) => Promise<T>,
): Promise<T> {
  if (plan.concurrency !== 'exclusive') return work()
  const name = `${sha256Hex(plan.itemId).slice(0, 16)}.lock`
  const mutex = await acquireMutex(join(states.make(plan.projectPath).path, 'locks', name), {
    subject: `\`${plan.itemId}\`, which runs once at a time,`,
    waitMs: plan.timeoutMs,
    holdMs: plan.timeoutMs + SLACK_MS,
    longestMs: LONGEST_MS,
    signal,
  })
  try {
    return await work(pids => mutex.bind(pids))
  } finally {
    mutex.release()
  }
}
