// Verifies and signs 2.5 KB items, and compares with the bare cryptography and the bare durable write in the
// same run.
import { generateKeyPairSync, sign as rawSign, verify as rawVerify } from 'node:crypto'
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeItems } from './library.mjs'
import { atLeast, figure, round } from './table.mjs'

const COUNT = 2000
const MARKDOWN = { prefix: '<!--', suffix: '-->', afterShebang: false, detached: false }

export async function measureTrust() {
  const { describeKey, generateKey, sign, verify } = await import('../src/trust/index.ts')
  const { atomicWrite, readFile } = await import('../src/files/index.ts')
  const key = generateKey()
  const trusted = describeKey(key.publicPem, 'bench')
  const trust = {
    keys: new Map([[key.fingerprint, trusted]]),
    revoked: new Map(),
    manifest: new Map(),
    policy: { legacy: 'refuse' },
    now: new Date(),
  }
  const options = { timestamp: `${new Date().toISOString().slice(0, 19)}Z`, format: 'v2' }
  const items = [...makeItems(COUNT * 2)].filter(item => item.type !== 'tool').slice(0, COUNT)
  const folder = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const files = items.map((item, index) => ({
    ...item,
    path: join(folder, `${index}.md`),
    bytes: Buffer.from(item.text),
  }))
  const swept = new Set()
  try {
    const signing = perSecond(files, file => {
      const signed = sign({ type: file.type, id: file.id, bytes: file.bytes, format: MARKDOWN }, key, options)
      atomicWrite(file.path, signed.bytes, { root: folder, swept })
    })
    const durable = perSecond(files, file => writeDurably(folder, `${file.path}.raw`, file.bytes))
    const verifying = perSecond(files, file => {
      const { bytes } = readFile(file.path, { maxBytes: 1e6 })
      const verdict = verify({ type: file.type, id: file.id, bytes, format: MARKDOWN }, trust)
      if (verdict.status !== 'verified') throw new Error(`expected verified, got ${verdict.status}`)
    })
    const bare = bareVerify(files)
    return [
      atLeast('verify (read, hash, check)', verifying, 3000, 'items/s'),
      figure('  bare crypto.verify', `${round(bare)} /s`, '', null),
      figure('  ratio', round(verifying / bare)),
      atLeast('sign (durable write included)', signing, 400, 'items/s'),
      figure('  bare write, fsync, rename, fsync of the folder', `${round(durable)} /s`),
      figure('  ratio', round(signing / durable)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function perSecond(files, work) {
  const started = performance.now()
  for (const file of files) work(file)
  return files.length / ((performance.now() - started) / 1000)
}

function bareVerify(files) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const message = Buffer.alloc(200, 1)
  const signature = rawSign(null, message, privateKey)
  return perSecond(files, () => rawVerify(null, message, publicKey, signature))
}

function writeDurably(folder, path, bytes) {
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'wx')
  writeSync(file, bytes)
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, path)
  const directory = openSync(folder, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
