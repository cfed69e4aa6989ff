// The lock of a tool that runs once at a time, over all servers of a project. It is bound to the processes of the tool, so that it
// is held as long as they live, even if this server is killed.
import { join } from 'node:path'
import { AppError, sha256Hex, systemErrorCode } from '../base/index.ts'
import { acquireLock, makeStateFolder } from '../files/index.ts'
import type { Plan } from '../plan/index.ts'

/** Time beyond the plan's own for starting and ending the tool. */
const SLACK_MS = 10_000

/** Runs `work` under the lock, if the plan asks for one. `work` gets a function to be called with the tool's processes. */
export async function runExclusively<T>(
  plan: Plan,
  signal: AbortSignal | undefined,
  work: (onStarted?: (pids: readonly number[]) => void) => Promise<T>,
): Promise<T> {
  if (plan.concurrency !== 'exclusive') return work()
  const lock = await acquireLock(lockPath(plan), {
    subject: `\`${plan.itemId}\`, which runs once at a time,`,
    waitMs: plan.timeoutMs,
    holdMs: plan.timeoutMs + SLACK_MS,
    signal,
  })
  try {
    return await work(pids => lock.bind(pids))
  } finally {
    lock.release()
  }
}

function lockPath(plan: Plan): string {
  const name = `${sha256Hex(plan.itemId).slice(0, 16)}.lock`
  try {
    return join(makeStateFolder(plan.projectPath), 'locks', name)
  } catch (thrown) {
    const reason = systemErrorCode(thrown)
    if (reason === undefined) throw thrown
    throw new AppError('WRITE_FAILED', `cannot keep the lock of \`${plan.itemId}\`: ${reason}`, {
      cause: thrown,
    })
  }
}
