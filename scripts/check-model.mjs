// Fails unless the built-in model has the digest in the file next to it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'system', 'model')

const [expected] = readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8').split(' ')
const found = createHash('sha256')
  .update(readFileSync(join(FOLDER, 'model.bin')))
  .digest('hex')
if (found !== expected) {
  console.error(`system/model/model.bin: expected the digest ${expected}, got ${found}`)
  process.exit(1)
}
