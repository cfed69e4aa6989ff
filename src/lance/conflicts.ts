// Recognises what happens when two processes use one table: a writer loses a commit, or a reader loses a file
// of an old version. Trying again repairs both.
import { AppError } from '../base/index.ts'

/** Whether a file of LanceDB no longer exists. */
export function isGone(thrown: unknown): boolean {
  return (
    thrown instanceof Error && !(thrown instanceof AppError) && /not found|NotFound/i.test(thrown.message)
  )
}

/**
 * Whether another process committed first; its rows can be read now. LanceDB reports some of these collisions
 * as unreachable code.
 */
export function isConflict(thrown: unknown): boolean {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return false
  // The number of retries and the address say nothing about other writers.
  const said = thrown.message.replace(
    /after \d+ retries, max_retries: \S+ retry_timeout: \S+|https?:\S+/g,
    '',
  )
  if (REFUSED.test(said)) return false
  return /conflict|concurrent|already exists|retry|not found|entered unreachable code/i.test(said)
}

/** An error status from the storage, except those for missing, existing or meanwhile changed objects. */
const REFUSED = /non-2xx status code: (?!404|409|412)\d/

const PAUSE_MS = 200

/**
 * Waits a random time before an attempt, so that two writers do not collide again. The first two attempts do
 * not wait.
 */
export async function pauseBefore(attempt: number): Promise<void> {
  if (attempt > 2) await new Promise(done => setTimeout(done, Math.random() * attempt * PAUSE_MS))
}
