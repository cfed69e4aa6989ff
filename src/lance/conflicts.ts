// What two writers of one table do to each other: one loses a commit, or a reader loses a file of an old version. Both are repaired by
// trying again.
import { AppError } from '../base/index.ts'

/** A file of LanceDB is no longer there. */
export function isGone(thrown: unknown): boolean {
  return (
    thrown instanceof Error && !(thrown instanceof AppError) && /not found|NotFound/i.test(thrown.message)
  )
}

/** Another process committed first; its rows can be read now. LanceDB calls some of these collisions unreachable code. */
export function isConflict(thrown: unknown): boolean {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return false
  // How often the storage was asked, and by which address, says nothing about other writers.
  const said = thrown.message.replace(
    /after \d+ retries, max_retries: \S+ retry_timeout: \S+|https?:\S+/g,
    '',
  )
  if (REFUSED.test(said)) return false
  return /conflict|concurrent|already exists|retry|not found|entered unreachable code/i.test(said)
}

/** An answer of the storage, other than that something is not there, is there already, or was changed meanwhile. */
const REFUSED = /non-2xx status code: (?!404|409|412)\d/

const PAUSE_MS = 200

/** A random delay before an attempt, so that two writers do not collide again; none before the first two. */
export async function pauseBefore(attempt: number): Promise<void> {
  if (attempt > 2) await new Promise(done => setTimeout(done, Math.random() * attempt * PAUSE_MS))
}
