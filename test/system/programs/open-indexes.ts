// Opens COUNT new indexes, one every few milliseconds from START on, at the same moments as other processes
// with the same arguments:
// open-indexes FOLDER COUNT START
import { join } from 'node:path'
import { openIndex } from '../../../src/search/sqlite/search-index.ts'

const STEP_MS = 15
const sleeper = new Int32Array(new SharedArrayBuffer(4))
const [folder, count, start] = process.argv.slice(2) as [string, string, string]
for (let number = 0; number < Number(count); number++) {
  const moment = Number(start) + number * STEP_MS
  // Most of the time asleep, the last millisecond awake.
  Atomics.wait(sleeper, 0, 0, Math.max(0, moment - Date.now() - 1))
  while (Date.now() < moment);
  const index = await openIndex(new Map([['project', join(folder, `${number}.sqlite`)]]))
  index.close()
}
