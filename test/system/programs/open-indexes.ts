// Opens COUNT new indexes, one every few milliseconds from START on, at the same moments as others who were told the same:
// open-indexes FOLDER COUNT START
import { join } from 'node:path'
import { openIndex } from '../../../src/search/sqlite/search-index.ts'

const STEP_MS = 15
const [folder, count, start] = process.argv.slice(2) as [string, string, string]
for (let number = 0; number < Number(count); number++) {
  while (Date.now() < Number(start) + number * STEP_MS);
  const index = await openIndex(new Map([['project', join(folder, `${number}.sqlite`)]]))
  index.close()
}
