import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateKey, readPublicKey, readSigningKey } from '../../src/trust/key.ts'

const key = generateKey()
const invalid = expect.objectContaining({ code: 'KEY_INVALID' })

describe('a key', () => {
  it('is named by the first 16 hex digits of the digest of its PEM text', () => {
    expect(key.publicPem).toHaveLength(113)
    expect(key.fingerprint).toBe(createHash('sha256').update(key.publicPem).digest('hex').slice(0, 16))
  })

  it('is read back from its PEM, with CRLF, without final line feed, or in base64', () => {
    expect(readPublicKey(key.publicPem.replaceAll('\n', '\r\n'))).toMatchObject({
      fingerprint: key.fingerprint,
    })
    const spellings = [key.privatePem, key.privatePem.trim(), Buffer.from(key.privatePem).toString('base64')]
    for (const text of spellings) expect(readSigningKey(text).fingerprint).toBe(key.fingerprint)
  })

  const rsa = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const x25519 = generateKeyPairSync('x25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

  it.each([
    ['nothing', ''],
    ['words', 'not a key'],
    ['a private key', key.privatePem],
    ['two keys', key.publicPem + key.publicPem],
    ['text before it', `hello\n${key.publicPem}`],
    ['text after it', `${key.publicPem}hello\n`],
    ['another algorithm', rsa.publicKey],
    ['a key for encryption', x25519.publicKey],
    ['a broken body', key.publicPem.replace('MCow', 'MCoX')],
    ['a body on two lines', key.publicPem.replace('MCow', 'MC\now')],
    ['megabytes', 'x'.repeat(5e6)],
  ])('is not read from %s', (_, text) => {
    expect(() => readPublicKey(text)).toThrow(invalid)
  })

  it.each([
    ['nothing', ''],
    ['a public key', key.publicPem],
    ['two keys', key.privatePem + key.privatePem],
    ['another algorithm', rsa.privateKey],
    ['a key for encryption', x25519.privateKey],
    ['base64 of words', Buffer.from('not a key').toString('base64')],
    ['megabytes', 'x'.repeat(5e6)],
  ])('for signing is not read from %s, and the error does not quote it', (_, text) => {
    expect(() => readSigningKey(text)).toThrow(invalid)
    try {
      readSigningKey(text)
    } catch (error) {
      if (text !== '') expect(String(error)).not.toContain(text.slice(0, 60))
    }
  })

  it.each([
    ['is cut short', key.privatePem.slice(0, 60), 'the PEM text contains no readable key'],
    ['has text behind it', `${key.privatePem}hello`, 'expected exactly one private key'],
    ['is of another algorithm', x25519.privateKey, 'expected an Ed25519 key, got x25519'],
    ['is a public one', key.publicPem, 'begins with `-----BEGIN PRIVATE KEY-----`'],
    ['is followed by pages', key.privatePem + '\n.'.repeat(3000), 'got a longer text'],
  ])('for signing that %s is refused for that reason', (_, text, reason) => {
    expect(() => readSigningKey(text)).toThrow(reason)
  })

  it('in base64 may be on several lines, but not on a thousand', () => {
    const encoded = Buffer.from(key.privatePem).toString('base64')
    const spread = (between: string) => [...encoded].join(between)
    expect(readSigningKey(spread('\n')).fingerprint).toBe(key.fingerprint)
    expect(() => readSigningKey(spread('\n'.repeat(13)))).toThrow(invalid)
  })

  it('is read from a text if and only if Node writes just that text for it', () => {
    const alphabet = ['A', 'K', 'Z', '4', '+', '/', '-', '_', '=', '\n', ' ', 'é']
    const put = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 2 })
    const change = fc.tuple(fc.nat(key.publicPem.length), fc.nat(2), put)
    const check = fc.property(change, ([at, length, put]) => {
      const text = `${(key.publicPem.slice(0, at) + put + key.publicPem.slice(at + length)).trim()}\n`
      expect(isRead(text)).toBe(isWrittenByNode(text))
    })
    // The end of the body, whose last two bits do not belong to the key.
    const ends: [[number, number, string]][] = [[[85, 1, 'A=']], [[86, 1, '']], [[84, 2, 'B=']]]
    fc.assert(check, { examples: [[[0, 0, '']], ...ends] })
  })

  it('of small order is refused, since anyone can sign for it', () => {
    const pemOf = (point: Buffer) => {
      const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), point])
      return createPublicKey({ key: der, format: 'der', type: 'spki' })
        .export({ type: 'spki', format: 'pem' })
        .toString()
    }
    const neutral = Buffer.alloc(32)
    neutral[0] = 1
    const zeroOtherSign = Buffer.alloc(32)
    zeroOtherSign[31] = 0x80
    const orderEight = Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa', 'hex')
    for (const point of [neutral, Buffer.alloc(32), zeroOtherSign, orderEight])
      expect(() => readPublicKey(pemOf(point))).toThrow(
        expect.objectContaining({ message: expect.stringContaining('weak') }),
      )
  })
})

function isRead(text: string): boolean {
  try {
    return readPublicKey(text).key.export({ type: 'spki', format: 'pem' }) === text
  } catch {
    return false
  }
}

function isWrittenByNode(text: string): boolean {
  try {
    return (
      text.startsWith('-----BEGIN PUBLIC KEY-----\n') &&
      createPublicKey(text).export({ type: 'spki', format: 'pem' }) === text
    )
  } catch {
    return false
  }
}
