// create-file.mjs ROOT PATH: writes a file that must not exist yet, with the folders it needs.
import { AppError } from '../../../src/base/app-error.ts'
import { atomicWrite } from '../../../src/files/atomic-write.ts'
import { busyWrites } from './busy-writes.ts'

const [root, path] = process.argv.slice(2)
if (root === undefined || path === undefined) throw new Error('unreachable: arguments')

busyWrites()
try {
  atomicWrite(path, 'created\n', { root, mode: 0o600, expect: 'absent' })
} catch (error) {
  if (!(error instanceof AppError)) throw error
  process.stderr.write(`${error.code} ${error.message}\n`)
  process.exitCode = 3
}
