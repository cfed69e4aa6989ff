// Names of temporary files, and removal of those that a killed process left behind. The name says which
// process made the file, so the next write can remove it at once if that process has ended, but never removes
// the file of a process that is still writing.
import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import type { Folder } from './folder.ts'

const NAME = /^\.rye-(?<owner>[0-9a-f]{8})-(?<pid>\d{1,10})-[0-9a-f]{16}\.tmp$/
/** No write takes this long: an older file is stale, whichever process made it. */
const STALE_MS = 60_000
/** Filling a folder takes longer. When its process is known to have ended, there is no need to wait. */
const STALE_FOLDER_MS = 3_600_000

/** `.rye-OWNER-PID-RANDOM.tmp` */
export function temporaryName(random: string): string {
  return `.rye-${ownerTag()}-${process.pid}-${random}.tmp`
}

/** Removes the stale temporary files of one folder. Those that cannot be removed stay for the next write. */
export function sweepTemporaries(folder: Folder): void {
  for (const name of folder.names()) {
    if (!name.startsWith('.rye-')) continue
    try {
      const path = folder.at(name)
      if (temporaryState(path) === 'stale') unlinkSync(path)
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error
    }
  }
}

/** Whether this is the temporary file of a process that is still writing. */
export function isUnfinished(path: string): boolean {
  return temporaryState(path) === 'unfinished'
}

/** Whether this is a folder with a temporary name, made by a process that has ended. */
export function isStaleFolder(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
  return temporaryState(path, STALE_FOLDER_MS) === 'stale'
}

function temporaryState(path: string, staleMs = STALE_MS): 'unfinished' | 'stale' | undefined {
  const maker = NAME.exec(basename(path))?.groups
  const stat = maker && lstatSync(path, { throwIfNoEntry: false })
  if (!maker || !stat) return undefined
  const isGone = maker.owner === ownerTag() && !isRunning(Number(maker.pid))
  return isGone || Date.now() - stat.mtimeMs > staleMs ? 'stale' : 'unfinished'
}

// A process id is only valid on one machine and in one pid namespace; two containers may share a folder.
export function ownerTag(): string {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 8)
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH'
  }
}
