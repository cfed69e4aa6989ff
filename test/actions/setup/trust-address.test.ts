// A key from an address: the person compares fingerprints, or names the expected one.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { fingerprintWords } from '../../../src/trust/name-key.ts'
import { scratch } from '../../workspace/scratch.ts'

async function serve(text: string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/key.toml' }).end()
    else response.end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a key from an address is trusted once its fingerprint is given', async () => {
  const made = await scratch()
  const key = generateKey()
  const base = await serve(printIdentity(describeKey(key.publicPem, 'Ann')))
  const file = `${base}/key.toml`
  const words = fingerprintWords(key.fingerprint)
  expect(await made.run('keys trust', { file })).toMatchObject({
    code: 'INVALID_INPUT',
    error: expect.stringContaining(words),
    hint: expect.stringContaining(`--fingerprint ${key.fingerprint}`),
  })
  expect(await made.run('keys trust', { file, fingerprint: '0'.repeat(16) })).toMatchObject({
    code: 'KEY_INVALID',
  })
  expect(await made.run('keys trust', { file: `${base}/moved`, fingerprint: key.fingerprint })).toMatchObject(
    { code: 'REMOTE_FAILED' },
  )
  expect(await made.run('keys trust', { file: 'http://example.org/key.toml' })).toMatchObject({
    code: 'INVALID_INPUT',
  })
  expect(await made.run('keys trust', { file, fingerprint: key.fingerprint })).toMatchObject({
    status: 'trusted',
    owner: 'Ann',
    words,
  })
})

it('an address that is none, or has a password, is refused and not repeated', async () => {
  const made = await scratch()
  for (const file of ['https://', 'https://ann:s3cret@127.0.0.1:1/key.toml', 'https://ann:s3cret@a b/'])
    expect(await made.run('keys trust', { file })).toMatchObject({
      code: 'INVALID_INPUT',
      error: expect.not.stringContaining('s3cret'),
    })
})

it('an endless document is given up', async () => {
  const made = await scratch()
  const file = `${await serve('x'.repeat(10_000_000))}/key.toml`
  expect(await made.run('keys trust', { file })).toMatchObject({ code: 'REMOTE_FAILED' })
})
