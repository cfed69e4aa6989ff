// Fills one snapshot after the other: fill-snapshots FOLDER COUNT.
import { join } from 'node:path'
import { ensureSnapshot } from '../../../src/execute/process/write-private-copy.ts'

const [folder = '', count = '0'] = process.argv.slice(2)
const bytes = Buffer.from('echo hello\n')
for (let number = 0; number < Number(count); number++) {
  const files = ['a.sh', 'lib/b.sh', 'c.sh'].map(path => ({ path, bytes }))
  ensureSnapshot({ digest: String(number), directory: join(folder, String(number)), files })
}
