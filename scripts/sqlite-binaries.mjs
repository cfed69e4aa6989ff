// Packs the SQLite binaries that we publish for Node before 22.16, taken from the package that built them.
// Newer Node has SQLite built in. Packing takes seconds, so packed binaries are kept in .cache/ under their
// digest.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/**
 * Folder and library names in that package. Windows and Alpine on ARM are left out: they would serve an old
 * Node only.
 */
const TARGETS = [
  ['linux-x64', 'glibc'],
  ['linux-x64', 'musl'],
  ['linux-arm64', 'glibc'],
  ['darwin-x64', 'glibc'],
  ['darwin-arm64', 'glibc'],
  ['win32-x64', 'glibc'],
]
const KEPT = '.cache/packed'
const compress = promisify(brotliCompress)

/** Starts packing; `write` waits for it. */
export function packSqliteBinaries() {
  const packing = Promise.all(TARGETS.map(pack))
  // `write` reports the failure; this only avoids an unhandled rejection.
  packing.catch(() => {})
  return {
    async write(to) {
      const packed = await packing
      mkdirSync(to, { recursive: true })
      for (const { name, bytes } of packed) writeFileSync(`${to}/${name}.node.br`, bytes)
      const contents = Object.fromEntries(packed.map(({ name, digest, size }) => [name, { digest, size }]))
      writeFileSync(`${to}/contents.json`, `${JSON.stringify(contents, null, 2)}\n`)
    },
  }
}

async function pack([target, libc]) {
  const from = `node_modules/@photostructure/sqlite/prebuilds/${target}/@photostructure+sqlite.${libc}.node`
  if (!existsSync(from)) throw new Error(`the package of SQLite has no ${from}`)
  const binary = readFileSync(from)
  const digest = createHash('sha256').update(binary).digest('hex')
  const name = `${target}${libc === 'musl' ? '-musl' : ''}`
  const kept = `${KEPT}/${digest}.br`
  if (existsSync(kept)) return { name, digest, size: binary.length, bytes: readFileSync(kept) }
  // Higher qualities take five times as long and save a tenth.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: binary.length }
  const bytes = await compress(binary, { params })
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(kept, bytes)
  return { name, digest, size: binary.length, bytes }
}
