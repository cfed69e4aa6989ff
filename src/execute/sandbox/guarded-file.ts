// A file made at a protected path that does not exist, where other programs would stumble over a directory. They find a text in it that
// changes nothing for them. It is removed with a mount point beside it: whoever holds that one needs the file.
import { randomBytes } from 'node:crypto'
import { linkSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemErrorCode } from '../../base/index.ts'
import { holdMountPoint, isOurs, type MountPoint, statOf } from './mount-point.ts'

export interface GuardedFile {
  /** To be hidden from the tool, or it could let go of the file. */
  readonly directory: string
  readonly mountPoint: MountPoint
}

// As with directories, the sticky bit says that it is ours. The system ignores it on a file.
const MODE = 0o1600

/** Null when there is a file already, or when nobody could make one. */
export function holdFile(path: string, text: string): GuardedFile | null {
  const stat = statOf(path)
  if (stat && !(stat.isFile() && isOurs(stat))) return null
  const directory = `${dirname(path)}/.rye-guard-${basename(path)}`
  const mountPoint = holdMountPoint(directory, true, () => removeOurs(path, text))
  if (mountPoint === null) return null
  try {
    makeFile(path, text)
  } catch (thrown) {
    void mountPoint.release()
    throw thrown
  }
  return { directory, mountPoint }
}

/** Complete at once: a reader never sees half of it. */
function makeFile(path: string, text: string): void {
  const unfinished = `${dirname(path)}/.rye-guard-${randomBytes(8).toString('hex')}`
  writeFileSync(unfinished, text, { flag: 'wx', mode: MODE })
  try {
    linkSync(unfinished, path)
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'EEXIST') throw thrown
  } finally {
    unlinkSync(unfinished)
  }
}

function removeOurs(path: string, text: string): void {
  const stat = statOf(path)
  if (stat?.isFile() && isOurs(stat) && stat.size === text.length) unlinkSync(path)
}
