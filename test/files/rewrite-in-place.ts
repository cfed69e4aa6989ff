// Rewrites a file as an editor that saves in place does, or somebody who hides a change: other bytes, same
// inode, old time restored.
import { closeSync, fstatSync, futimesSync, openSync, statSync, writeSync } from 'node:fs'

/** Only the time of change tells. The new content must be as long as the old one. */
export function rewriteInPlace(path: string, content: string | Uint8Array): void {
  const before = statSync(path)
  const bytes = Buffer.from(content)
  if (bytes.length !== before.size) throw new Error(`expected ${before.size} bytes`)
  const descriptor = openSync(path, 'r+')
  try {
    // A clock of ticks may stand still for a moment: the write must fall into another one.
    do {
      writeSync(descriptor, bytes, 0, bytes.length, 0)
      futimesSync(descriptor, before.atime, before.mtime)
    } while (fstatSync(descriptor).ctimeMs === before.ctimeMs)
    // Written by the nanosecond, set by the millisecond: then it would be the time that tells.
    if (fstatSync(descriptor).mtimeMs !== before.mtimeMs) throw new Error('set a whole time first')
  } finally {
    closeSync(descriptor)
  }
}
