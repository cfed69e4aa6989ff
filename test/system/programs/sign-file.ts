// sign-file.mjs ROOT PATH PRIVATE_KEY ROUNDS: signs one knowledge entry ROUNDS times, through the same read, sign
// and write as the product. Prints `AppError` codes instead of stacks, so that a test can tell them from crashes.
import { readFileSync } from 'node:fs'
import { AppError } from '../../../src/base/app-error.ts'
import { atomicWrite } from '../../../src/files/atomic-write.ts'
import { readFile } from '../../../src/files/read-file.ts'
import { readSigningKey } from '../../../src/trust/key.ts'
import { sign } from '../../../src/trust/sign.ts'
import { busyWrites } from './busy-writes.ts'

const [root, path, keyPath, rounds] = process.argv.slice(2)
if (root === undefined || path === undefined || keyPath === undefined)
  throw new Error('unreachable: arguments')
const key = readSigningKey(readFileSync(keyPath, 'utf8'))
const format = { prefix: '<!--', suffix: '-->', afterShebang: false, detached: false }

busyWrites()
try {
  for (let round = 0; round < Number(rounds); round++) {
    const file = readFile(path, { maxBytes: 1_000_000 })
    if (file === undefined) throw new Error('the file vanished')
    const timestamp = `${new Date().toISOString().slice(0, 19)}Z`
    const item = {
      type: 'knowledge',
      id: 'notes/shared',
      extension: '.md',
      bytes: file.bytes,
      format,
    } as const
    atomicWrite(path, sign(item, key, { timestamp, format: 'v2' }).bytes, { root })
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error
  process.stderr.write(`${error.code} ${error.message}\n`)
  process.exitCode = 3
}
