// Writes private copies one after another: write-private-copies FOLDER COUNT.
import { join } from 'node:path'
import { writePrivateCopy } from '../../../src/execute/process/write-private-copy.ts'

const [folder = '', count = '0'] = process.argv.slice(2)
const bytes = Buffer.from('echo hello\n')
for (let number = 0; number < Number(count); number++) {
  const files = ['a.sh', 'lib/b.sh', 'c.sh'].map(path => ({ path, bytes }))
  writePrivateCopy({ digest: String(number), directory: join(folder, String(number)), files })
}
