// One folder for all temporary files of a run of the tests, removed when it ends: files of tests share processes, so none of them
// can tell when a folder is no longer needed. Processes of tests inherit the variable.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const PREFIX = 'rye-tests-'

let made: string | undefined

/** Called for each project of tests; the first makes the folder. */
export function setup(): void {
  const outer = realpathSync(tmpdir())
  if (basename(outer).startsWith(PREFIX)) return
  made = mkdtempSync(join(outer, PREFIX))
  // Some tests run programs as another user.
  chmodSync(made, 0o755)
  process.env.TMPDIR = made
}

export function teardown(): void {
  if (made !== undefined) rmSync(made, { recursive: true, force: true, maxRetries: 5 })
}
