// Folders for all temporary files of a run of the tests, removed when it ends: files of tests share processes, so none of them
// can tell when a folder is no longer needed. Processes of tests inherit the variables.
//
// One is on the disk, as the projects of users are. Unit tests have theirs in memory, where there is enough of it: they write and
// remove a hundred thousand files, and wait for the disk to keep them. In `npm run torture` they are on the disk as well.
import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DISK_VARIABLE, MEMORY, MEMORY_VARIABLE } from './fixtures/quick-folder.ts'
import { IS_TORTURE } from './fixtures/tries.ts'

const PREFIX = 'rye-tests-'
/** Many times what unit tests have at once. */
const ENOUGH_BYTES = 1024 ** 3

const made: string[] = []

/** Called for each project of tests; the first makes the folders. */
export function setup(): void {
  const outer = realpathSync(tmpdir())
  if (basename(outer).startsWith(PREFIX)) return
  const disk = makeFolder(outer)
  process.env.TMPDIR = disk
  process.env[DISK_VARIABLE] = disk
  if (!IS_TORTURE && hasRoom(MEMORY)) process.env[MEMORY_VARIABLE] = makeFolder(MEMORY)
}

export function teardown(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function makeFolder(outer: string): string {
  const folder = mkdtempSync(join(outer, PREFIX))
  made.push(folder)
  // Some tests run programs as another user.
  chmodSync(folder, 0o755)
  return folder
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    // Not every system has it.
    return false
  }
}
