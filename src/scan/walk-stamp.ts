// What a walk saw, as one digest: while it stays the same, no file was touched. Sizes and times of modification can be put
// back; the time of change and the inode cannot, short of setting the system's clock.
import { sha256Hex } from '../base/index.ts'
import type { Walk } from './walk.ts'

/** The coarsest clock of a file system in use. A file younger than this may change again and keep its times. */
const CLOCK_TICK_MS = 2000

/** Undefined while the times of a file prove nothing yet. To be taken before the files are read. */
export function walkStamp(root: string, { files, passed }: Walk): string | undefined {
  const youngest = files.reduce((latest, file) => Math.max(latest, file.mtimeMs, file.ctimeMs), 0)
  if (Date.now() - youngest <= CLOCK_TICK_MS) return undefined
  const names = JSON.stringify([root, passed, files.map(file => file.path)])
  // As bytes: printing five numbers for each of ten thousand files takes longer than all else here.
  const facts = new Float64Array(files.length * 4)
  files.forEach(({ size, mtimeMs, ctimeMs, inode }, index) => {
    facts.set([size, mtimeMs, ctimeMs, inode], index * 4)
  })
  return sha256Hex(Buffer.concat([Buffer.from(names), new Uint8Array(facts.buffer)]))
}
