import { chmodSync, existsSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { fingerprintWords } from '../../../src/trust/name-key.ts'
import { placeKey, scratch, TEST_KEY, tool } from '../../workspace/scratch.ts'

const PRIVATE = 'user:.ai/config/keys/signing/private_key.pem'

function identity(owner = 'ada') {
  const key = generateKey()
  return { fingerprint: key.fingerprint, text: printIdentity(describeKey(key.publicPem, owner)) }
}

describe('keys generate', () => {
  it('makes a key that only its owner can read, and trusts it', async () => {
    const made = await scratch({}, { key: false })
    const answer = await made.run('keys generate', { owner: 'ada' })
    expect(answer).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      words: expect.stringMatching(/^\w{5}(?:-\w{5}){3}$/),
      owner: 'ada',
      path: made.path(PRIVATE),
      identity: made.path(`user:.ai/config/keys/trusted/${answer.fingerprint}.toml`),
      message: 'created your signing key',
    })
    expect(statSync(made.path(PRIVATE)).mode & 0o777).toBe(0o600)
    expect(statSync(made.path('user:.ai/config/keys/signing')).mode & 0o777).toBe(0o700)
    expect(await made.run('keys list')).toEqual({
      keys: [
        {
          fingerprint: answer.fingerprint,
          owner: 'ada',
          path: made.path(`user:.ai/config/keys/trusted/${answer.fingerprint}.toml`),
          own: true,
        },
      ],
      revoked: [],
      faults: [],
    })
    expect(await made.run('keys show')).toEqual({
      fingerprint: answer.fingerprint,
      words: answer.words,
      owner: 'ada',
      path: made.path(PRIVATE),
      identity: answer.identity,
      public_key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
    })
  })

  it('never replaces a key', async () => {
    const made = await scratch()
    const before = made.read(PRIVATE)
    expect(await made.run('keys generate')).toMatchObject({ code: 'KEY_EXISTS' })
    expect(made.read(PRIVATE)).toBe(before)
  })

  it.each([
    ['PEM', TEST_KEY.privatePem],
    ['base64 of PEM', Buffer.from(TEST_KEY.privatePem).toString('base64')],
  ])('imports %s from an environment variable', async (_form, text) => {
    const made = await scratch({}, { key: false, environment: { CI_KEY: text } })
    expect(await made.run('keys generate', { from_env: 'CI_KEY' })).toMatchObject({
      fingerprint: TEST_KEY.fingerprint,
      message: 'imported your signing key',
    })
    expect(JSON.stringify(await made.run('keys show'))).not.toContain('PRIVATE KEY')
  })

  it('refuses a variable that is absent or no key', async () => {
    const made = await scratch({}, { key: false, environment: { CI_KEY: 'nonsense' } })
    for (const from_env of ['OTHER', 'constructor', '__proto__'])
      expect(await made.run('keys generate', { from_env })).toMatchObject({ code: 'KEY_MISSING' })
    const answer = await made.run('keys generate', { from_env: 'CI_KEY' })
    expect(answer).toMatchObject({ code: 'KEY_INVALID' })
    expect(JSON.stringify(answer)).not.toContain('nonsense')
    expect(existsSync(made.path(PRIVATE))).toBe(false)
  })

  it('refuses to use a key that others can read', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    chmodSync(made.path(PRIVATE), 0o644)
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({
      code: 'KEY_INVALID',
      hint: `chmod 600 ${made.path(PRIVATE)}`,
    })
  })
})

describe('keys show', () => {
  it('without a key names the command that makes one', async () => {
    const made = await scratch({}, { key: false })
    expect(await made.run('keys show')).toMatchObject({
      code: 'KEY_MISSING',
      hint: 'make one with `rye keys generate`',
    })
  })
})

describe('keys list', () => {
  it.each([
    ['others can read', (path: string) => chmodSync(path, 0o644), 'expected mode 0600, got 0644'],
    ['is damaged', (path: string) => truncateSync(path, 60), 'no readable key'],
  ])('is answered when your own key %s, and says so', async (_, spoil, reason) => {
    const made = await scratch()
    spoil(made.path(PRIVATE))
    expect(await made.run('keys list')).toMatchObject({
      keys: [{ fingerprint: TEST_KEY.fingerprint }],
      faults: [{ path: made.path(PRIVATE), reason: expect.stringContaining(reason) }],
    })
  })
})

describe('keys trust and remove', () => {
  it('trusts a document, once, and forgets it', async () => {
    const made = await scratch()
    const { fingerprint, text } = identity()
    const file = made.write('ada.toml', text)
    expect(await made.run('keys trust', { file })).toEqual({
      status: 'trusted',
      fingerprint,
      owner: 'ada',
      words: fingerprintWords(fingerprint),
      message: 'items signed by ada can now be used',
    })
    expect(await made.run('keys trust', { file })).toMatchObject({ status: 'unchanged' })
    expect((await made.run('keys list')).keys).toHaveLength(2)
    expect(await made.run('keys remove', { fingerprint })).toEqual({
      status: 'removed',
      fingerprint,
      message: 'items that it signed can no longer be used',
    })
    expect(await made.run('keys remove', { fingerprint })).toMatchObject({ code: 'KEY_MISSING' })
  })

  it('an item of somebody else is used only after a person trusted the key', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') }, { key: false })
    const other = generateKey()
    placeKey(made, other)
    await made.sign('a')
    await made.run('keys remove', { fingerprint: other.fingerprint })
    const document = printIdentity(describeKey(other.publicPem, 'ada'))
    const offered = made.write(`.ai/config/keys/trusted/${other.fingerprint}.toml`, document)
    expect(await made.run('load', { item_id: 'a' })).toMatchObject({ code: 'ITEM_UNTRUSTED' })
    await made.run('keys trust', { file: offered })
    expect(await made.run('load', { item_id: 'a' })).toMatchObject({ status: 'success' })
  })

  it.each([
    [
      'a document with another fingerprint',
      (text: string) => text.replace(/[0-9a-f]{16}/, '0123456789abcdef'),
    ],
    ['a document with a key of another kind', (text: string) => text.replace(/MCow/, 'MCoX')],
    ['something else', () => 'hello\n'],
    ['nothing', () => ''],
  ])('refuses %s', async (_title, change) => {
    const made = await scratch()
    const file = made.write('key.toml', change(identity().text))
    expect(await made.run('keys trust', { file })).toMatchObject({ status: 'error', code: 'KEY_INVALID' })
    expect((await made.run('keys list')).keys).toHaveLength(1)
  })

  it('refuses what is not there, a link, and a fingerprint that is none', async () => {
    const made = await scratch()
    expect(await made.run('keys trust', { file: made.path('missing.toml') })).toMatchObject({
      code: 'KEY_MISSING',
    })
    symlinkSync(made.write('key.toml', identity().text), made.path('link.toml'))
    expect(await made.run('keys trust', { file: made.path('link.toml') })).toMatchObject({
      code: 'FILE_UNREADABLE',
    })
    for (const fingerprint of ['../../../etc/passwd', 'ABCDEF0123456789', '__proto__', 'abc'])
      expect(await made.run('keys remove', { fingerprint })).toMatchObject({ code: 'KEY_MISSING' })
    expect(await made.run('keys remove', { fingerprint: '' })).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('lists files in the trust folder that are no keys, and trusts the others', async () => {
    const made = await scratch()
    made.write('user:.ai/config/keys/trusted/0123456789abcdef.toml', 'nonsense')
    const { keys, faults } = await made.run('keys list')
    expect(keys).toHaveLength(1)
    expect(faults).toEqual([
      { path: expect.stringContaining('0123456789abcdef.toml'), reason: expect.any(String) },
    ])
  })
})
