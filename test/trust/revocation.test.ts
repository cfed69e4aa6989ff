import { describe, expect, it } from 'vitest'
import { describeKey, parseIdentity, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import {
  looksLikeRevocation,
  parseRevocation,
  printRevocation,
  revokeKey,
} from '../../src/trust/revocation.ts'
import { isVouchOf, vouchFor } from '../../src/trust/vouch.ts'

const AT = '2026-03-01T12:00:00Z'
const key = generateKey()
const other = generateKey()
const revocation = revokeKey(key, { at: AT, reason: 'laptop "stolen"\n' })
const text = printRevocation(revocation)

describe('a revocation', () => {
  it('comes back from its document', async () => {
    expect(await parseRevocation(text)).toEqual(revocation)
    const own = { fingerprint: key.fingerprint, at: AT, reason: '' }
    expect(await parseRevocation(printRevocation(own))).toEqual(own)
    expect([
      looksLikeRevocation(text),
      looksLikeRevocation(printIdentity(describeKey(key.publicPem, 'a'))),
    ]).toEqual([true, false])
  })

  const forged = revokeKey(other, { at: AT, reason: '' })
  it.each([
    ['another time', text.replace(AT, '2026-03-01T12:00:01Z')],
    ['another reason', text.replace('stolen', 'sold')],
    ['the fingerprint of another key', printRevocation({ ...forged, fingerprint: key.fingerprint })],
    [
      'the key of its victim and the signature of another',
      printRevocation({ ...revocation, signed: { pem: key.publicPem, signature: forged.signed!.signature } }),
    ],
    ['a signature without a key', text.replace(/\n\[public_key\][\s\S]*/, '')],
    ['a key without a signature', text.replace(/signature.*\n/, '')],
    ['another category', text.replace('keys/revoked', 'keys/trusted')],
    ['no time', text.replace(/^at.*\n/m, '')],
    ['an extra field', `admin = true\n${text}`],
    ['a path for a fingerprint', text.replace(key.fingerprint, '../../../../../e')],
    ['megabytes', text + '#'.repeat(1e6)],
    ['nothing', ''],
  ])('is refused with %s', async (_, wrong) => {
    expect(wrong).not.toBe(text)
    await expect(parseRevocation(wrong)).rejects.toMatchObject({ code: 'KEY_INVALID' })
  })
})

describe('the word of a key for another one', () => {
  const next = describeKey(other.publicPem, 'ann')
  const older = describeKey(key.publicPem, 'ann')
  const vouch = vouchFor(next.pem, key, AT)

  it('comes back with its document, by our reader and by any other', async () => {
    const printed = printIdentity({ ...next, vouch })
    expect((await parseIdentity(printed)).vouch).toEqual(vouch)
    expect((await parseIdentity(`# by hand\n${printed}`)).vouch).toEqual(vouch)
    expect(isVouchOf(older, next.pem, vouch)).toBe(true)
  })

  it('is for that key, by that key, at that time', () => {
    const third = describeKey(generateKey().publicPem, 'ann')
    expect(isVouchOf(older, third.pem, vouch)).toBe(false)
    expect(isVouchOf(third, next.pem, vouch)).toBe(false)
    expect(isVouchOf(third, next.pem, { ...vouch, fingerprint: third.fingerprint })).toBe(false)
    expect(isVouchOf(older, next.pem, { ...vouch, at: '2026-03-01T12:00:01Z' })).toBe(false)
    expect(isVouchOf(older, next.pem, { ...vouch, signature: '' })).toBe(false)
    expect(isVouchOf(older, next.pem, { ...vouch, signature: revocation.signed!.signature })).toBe(false)
  })

  it.each([
    ['no time', { ...vouch, at: 'now' }],
    ['no fingerprint', { ...vouch, fingerprint: 'x' }],
  ])('is refused with %s', async (_, wrong) => {
    await expect(parseIdentity(printIdentity({ ...next, vouch: wrong }))).rejects.toMatchObject({
      code: 'KEY_INVALID',
    })
  })

  it('cannot bring bounds into an identity document: they belong to the trust store', async () => {
    const printed = `${printIdentity(next)}\n[bounds]\nfor = ["*"]\n`
    await expect(parseIdentity(printed)).rejects.toMatchObject({ code: 'KEY_INVALID' })
  })
})
