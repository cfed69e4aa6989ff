// Many processes sign one file at once. A reader in between finds a whole, verified file.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFile } from '../../src/files/read-file.ts'
import { describeKey } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { sign } from '../../src/trust/sign.ts'
import { verify } from '../../src/trust/verify.ts'
import { makeQuickFolder } from '../fixtures/quick-folder.ts'
import { tries } from '../fixtures/tries.ts'
import { contextWith, XML_MARKS } from '../trust/samples.ts'
import { buildProgram } from './programs/build-program.ts'

const PROCESSES = 16
/** Signatures of each process. */
const ROUNDS = tries({ usual: 100, torture: 500 })
const BODY = `# Shared\n\n${'A line of text that does not change.\n'.repeat(60)}`

// What a disk keeps through a crash is shown in write-interrupted.torture.test.ts.
const folder = makeQuickFolder()
let built: { folder: string; program: string }
beforeAll(async () => {
  built = await buildProgram('sign-file')
})
afterAll(() => {
  for (const made of [folder, built.folder]) rmSync(made, { recursive: true, force: true })
})

it(`${PROCESSES} processes signing one file leave a file that verifies at every moment`, {
  timeout: 600_000,
}, async () => {
  const root = join(folder, 'space')
  const path = join(root, 'shared.md')
  const keyPath = join(folder, 'key.pem')
  const key = generateKey()
  mkdirSync(root)
  writeFileSync(keyPath, key.privatePem)
  const item = { type: 'knowledge', id: 'notes/shared', extension: '.md', format: XML_MARKS } as const
  const first = sign({ ...item, bytes: Buffer.from(BODY) }, key, {
    timestamp: '2026-01-01T00:00:00Z',
    format: 'v2',
  })
  writeFileSync(path, first.bytes)

  const keys = new Map([[key.fingerprint, describeKey(key.publicPem, 'local')]])
  const check = () => {
    const file = readFile(path, { maxBytes: 1_000_000 })
    const context = contextWith({ keys, now: new Date() })
    return file === undefined ? 'missing' : verify({ ...item, bytes: file.bytes }, context).status
  }

  const running = Array.from({ length: PROCESSES }, () => {
    const child = spawn(process.execPath, [built.program, root, path, keyPath, String(ROUNDS)])
    let errors = ''
    child.stderr.on('data', text => {
      errors += text
    })
    return new Promise<string>(resolve => child.on('close', code => resolve(`exit ${code}${errors}`)))
  })
  const seen = new Map<string, number>()
  let finished = false
  const ended = Promise.all(running).finally(() => {
    finished = true
  })
  while (!finished) {
    const status = check()
    seen.set(status, (seen.get(status) ?? 0) + 1)
    await new Promise(resolve => setTimeout(resolve, 2))
  }

  expect(new Set(await ended)).toEqual(new Set(['exit 0']))
  expect([...seen.keys()]).toEqual(['verified'])
  expect(check()).toBe('verified')
  expect(readFileSync(path, 'utf8').split('\n').slice(1).join('\n')).toBe(BODY)
  expect(readdirSync(root)).toEqual(['shared.md'])
})
