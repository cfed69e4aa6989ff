// Set up before the first test file and torn down after the last: the folders for all temporary files, and a
// path. Test files share processes, so none of them can tell when a folder is no longer needed. Test
// processes inherit the variables.
//
// One folder is on the disk, as users' projects are. Tests without processes get one in memory if there is
// enough of it, since they write and remove a hundred thousand files and would wait for the disk to store
// them. In `npm run torture` theirs is on the disk as well.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { MEMORY } from './fixtures/quick-folder.ts'
import { AUTHORITIES_VARIABLE, DISK_VARIABLE, MEMORY_VARIABLE } from './fixtures/run-variables.ts'
import { IS_TORTURE } from './fixtures/tries.ts'

const PREFIX = 'rye-tests-'
/** Many times what tests without processes hold at once. */
const ENOUGH_BYTES = 1024 ** 3

const made: string[] = []

export function setup(): void {
  const { env } = process
  env[AUTHORITIES_VARIABLE] = env.NODE_EXTRA_CA_CERTS ?? ''
  const disk = makeFolder(realpathSync(tmpdir()))
  env[DISK_VARIABLE] = disk
  if (!IS_TORTURE && hasRoom(MEMORY)) env[MEMORY_VARIABLE] = makeFolder(MEMORY)
  env.PATH = [pythonFolder(), env.PATH].filter(Boolean).join(delimiter)
}

/**
 * The folder of the real Python, if the `python3` on the path is a script: a version manager's script takes
 * as long as what a test does with it.
 */
function pythonFolder(): string | undefined {
  const candidates = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'python3'))
  const first = candidates.find(candidate => existsSync(candidate))
  if (first === undefined || readFileSync(first, 'latin1').slice(0, 2) !== '#!') return undefined
  return dirname(
    execFileSync(first, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim(),
  )
}

export function teardown(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function makeFolder(outer: string): string {
  const folder = mkdtempSync(join(outer, PREFIX))
  made.push(folder)
  // Some tests run programs as a different user.
  chmodSync(folder, 0o755)
  return folder
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    // Not every system has this folder.
    return false
  }
}
