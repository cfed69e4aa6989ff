// The end of trust in a key: revoked by its owner or by the user, or one's own key that is no longer trusted.
import { chmodSync, existsSync, rmSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generateKey } from '../../../src/trust/key.ts'
import { printRevocation, revokeKey } from '../../../src/trust/revocation.ts'
import { scratch, TEST_KEY, tool } from '../../workspace/scratch.ts'
import { ANN, AT, documentOf, load, trustedPath, withAnn } from './ann.ts'

describe('keys revoke', () => {
  const revocation = printRevocation(revokeKey(ANN, { at: AT, reason: 'laptop stolen' }))

  it('obeys a revocation that the key itself signed', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    expect(await load(made, 'team/a')).toBe('loaded')
    const file = made.write('revoked.toml', revocation)
    expect(await made.run('keys trust', { file })).toMatchObject({
      code: 'KEY_INVALID',
      hint: 'apply it with `rye keys revoke --import FILE`',
    })
    expect(await made.run('keys revoke', { import: file })).toMatchObject({
      status: 'revoked',
      fingerprint: ANN.fingerprint,
      reason: 'laptop stolen',
      signed: true,
    })
    expect(await load(made, 'team/a')).toContain('is revoked: laptop stolen')
    expect(await made.run('keys list')).toMatchObject({
      keys: [{ fingerprint: TEST_KEY.fingerprint }],
      revoked: [{ fingerprint: ANN.fingerprint, reason: 'laptop stolen', signed: true, at: AT }],
    })
  })

  it('keeps the key from being trusted again, but for a person who insists', async () => {
    const made = await withAnn()
    await made.run('keys revoke', { key: ANN.fingerprint })
    expect(await made.run('keys trust', { file: made.file })).toMatchObject({ code: 'KEY_INVALID' })
    made.write(`.ai/config/keys/trusted/${ANN.fingerprint}.toml`, documentOf(ANN))
    expect(await made.run('keys trust', { file: ANN.fingerprint })).toMatchObject({ code: 'KEY_INVALID' })
    // A file put into the trust store by hand does not count either.
    made.write(trustedPath(ANN), documentOf(ANN))
    expect(await load(made, 'team/a')).toContain('is revoked')
    expect(await made.run('verify', { targets: ['tool:team/a'], trust: [made.file] })).toMatchObject({
      counts: { untrusted: 1 },
    })
    await made.run('keys trust', { file: made.file, despite_revocation: true })
    expect(await load(made, 'team/a')).toBe('loaded')
  })

  it('of a key of somebody else is for oneself alone', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    expect(await made.run('keys revoke', { key: 'ann', out: 'out.toml' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(await load(made, 'team/a')).toBe('loaded')
    expect(await made.run('keys revoke', { key: 'ann', reason: 'left the team' })).toMatchObject({
      status: 'revoked',
      signed: false,
    })
    expect(existsSync(made.path('out.toml'))).toBe(false)
    const theirs = made.read(`user:.ai/config/keys/revoked/${ANN.fingerprint}.toml`)
    const file = (await scratch()).write('theirs.toml', theirs)
    expect(await made.run('keys revoke', { import: file })).toMatchObject({ code: 'KEY_INVALID' })
  })

  it('of the own key is signed, for others to import', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    await made.sign('a')
    const answer = await made.run('keys revoke', {
      key: TEST_KEY.fingerprint,
      reason: 'lost',
      out: 'mine.toml',
    })
    expect(answer).toMatchObject({ status: 'revoked', signed: true, out: made.path('mine.toml') })
    expect(answer.document).toBe(made.read('mine.toml'))
    expect(answer.document).not.toContain('PRIVATE')
    expect(await load(made, 'a')).toContain('is revoked: lost')
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({
      code: 'KEY_INVALID',
      error: expect.stringContaining('is revoked'),
      hint: 'make a new one with `rye keys rotate`',
    })
    expect(await made.run('new', { item_type: 'tool', item_id: 'b' })).toMatchObject({ signed: false })
    const other = await withAnn()
    await other.run('keys trust', { file: other.write('me.toml', documentOf(TEST_KEY)) })
    const file = other.write('mine.toml', made.read('mine.toml'))
    expect(await other.run('keys revoke', { import: file })).toMatchObject({
      status: 'revoked',
      signed: true,
    })
  })

  it('works with a signing key that others could read: that is a reason for it', async () => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    chmodSync(made.path('user:.ai/config/keys/signing/private_key.pem'), 0o644)
    expect(await made.run('keys revoke', { key: 'ann' })).toMatchObject({ status: 'revoked' })
    const out = made.write('taken.toml', '')
    const own = { key: TEST_KEY.fingerprint }
    expect(await made.run('keys revoke', { ...own, out })).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await made.run('keys revoke', own)).toMatchObject({ status: 'revoked', signed: true })
    expect(await made.run('keys revoke', { ...own, out: 'free.toml' })).toMatchObject({ status: 'unchanged' })
    expect(made.read('free.toml')).toContain(TEST_KEY.fingerprint)
  })

  it.each([
    [{}, 'INVALID_INPUT'],
    [{ key: 'ann', import: 'x.toml' }, 'INVALID_INPUT'],
    [{ key: 'nobody' }, 'KEY_MISSING'],
    [{ key: '' }, 'INVALID_INPUT'],
    [{ key: '../../x' }, 'KEY_MISSING'],
    [{ import: 'missing.toml' }, 'KEY_MISSING'],
    [{ import: 'ann.toml' }, 'KEY_INVALID'],
    [{ key: ANN.fingerprint, reason: 'x'.repeat(501) }, 'INVALID_INPUT'],
  ])('refuses %j', async (input, code) => {
    const made = await withAnn()
    expect(await made.run('keys revoke', input)).toMatchObject({ code })
    expect((await made.run('keys list')).revoked).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['something else', 'hello'],
    ['the revocation of another key', printRevocation(revokeKey(generateKey(), { at: AT, reason: '' }))],
    ['a broken signature', revocation.replace('stolen', 'sold')],
  ])('holds when its record is damaged: %s', async (_, text) => {
    const made = await withAnn()
    await made.run('keys trust', { file: made.file })
    made.write(`user:.ai/config/keys/revoked/${ANN.fingerprint}.toml`, text)
    expect(await load(made, 'team/a')).toContain('is revoked')
    expect((await made.run('keys list')).faults).toHaveLength(1)
  })
})

describe('without the trust in the own key', () => {
  it('sign and doctor say so, with the command that gives it back', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const { fingerprint } = TEST_KEY
    expect(await made.run('keys remove', { fingerprint })).toMatchObject({
      message: expect.stringContaining('it is your own key'),
    })
    const says = `your signing key ${fingerprint} is not among the keys that you trust: what it signs cannot be used here`
    const warning = `${says}; trust it again with \`rye keys trust ${fingerprint}\``
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({ status: 'signed', warnings: [warning] })
    expect(await made.run('sign', { item_id: '*' })).toMatchObject({ status: 'completed', warning })
    expect(await load(made, 'a')).toContain('ITEM_UNTRUSTED')
    expect((await made.run('doctor')).checks).toContainEqual(
      expect.objectContaining({ name: 'key', status: 'problem', fix: `rye keys trust ${fingerprint}` }),
    )
    await made.run('keys trust', { file: fingerprint })
    expect(await load(made, 'a')).toBe('loaded')
    expect(await made.run('sign', { item_id: '*' })).not.toHaveProperty('warning')
  })

  it('or without its file, too', async () => {
    const made = await scratch({}, { key: false })
    const { fingerprint } = await made.run('keys generate')
    const path = 'user:.ai/config/keys/signing/private_key.pem'
    expect(statSync(made.path(path)).mode & 0o777).toBe(0o600)
    rmSync(made.path(path))
    const said = expect.stringContaining(`your signing key ${fingerprint} is gone`)
    expect(await made.run('sign', { item_id: 'a' })).toMatchObject({ code: 'KEY_MISSING', error: said })
    expect((await made.run('doctor')).checks).toContainEqual(
      expect.objectContaining({ name: 'key', message: said, fix: 'rye keys generate' }),
    )
    expect((await made.run('keys generate')).fingerprint).not.toBe(fingerprint)
  })
})
