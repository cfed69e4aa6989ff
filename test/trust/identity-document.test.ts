import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import {
  describeKey,
  parseIdentity,
  parseTrustRecord,
  printIdentity,
  printTrustRecord,
} from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'

const key = generateKey()
const identity = describeKey(key.publicPem, 'local')
const text = printIdentity(identity)

describe('an identity document', () => {
  it('has the fields of the older system, in its order', () => {
    expect(text).toBe(
      [
        'version = "1.0.0"',
        'category = "keys/trusted"',
        `fingerprint = "${key.fingerprint}"`,
        'owner = "local"',
        'attestation = ""',
        '',
        '[public_key]',
        `pem = """\n${key.publicPem}"""`,
        '',
      ].join('\n'),
    )
  })

  it('says the same to any TOML reader, whatever the owner is called', async () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (owner, attestation) => {
        const printed = printIdentity({ ...identity, owner, attestation })
        expect(parse(printed)).toMatchObject({ owner, attestation, fingerprint: key.fingerprint })
        expect(await parseIdentity(printed)).toMatchObject({ owner, attestation, pem: key.publicPem })
      }),
    )
  })

  it('shows no hidden character of its owner to a terminal', () => {
    const printed = printIdentity({ ...identity, owner: 'a\u009b2J\u202eb\u{e0041}\x07\x7f' })
    expect(printed).not.toMatch(/[\p{Cf}\x07\x7f-\x9f]/u)
  })

  it('is read without version, category and attestation, with a signature comment and odd spacing', async () => {
    const old = `# rye:signed:x\nfingerprint="${key.fingerprint}"\n[public_key]\npem = '''\n${key.publicPem.trim()}'''`
    expect(await parseIdentity(old)).toMatchObject({ owner: 'unknown', fingerprint: key.fingerprint })
  })

  it.each([
    ['another fingerprint', text.replace(key.fingerprint, '0123456789abcdef')],
    ['an upper-case fingerprint', text.replace(key.fingerprint, 'ABCDEFABCDEFABCD')],
    ['a fingerprint that is a path', text.replace(key.fingerprint, '../../../../evil')],
    ['a fingerprint that is a property name', text.replace(key.fingerprint, '__proto__')],
    ['no fingerprint', text.replace(/fingerprint.*\n/, '')],
    ['an extra key', `admin = true\n${text}`],
    ['an extra key beside the PEM', `${text}pem2 = "x"\n`],
    ['another category', text.replace('keys/trusted', 'keys/signing')],
    ['two keys in the PEM', text.replace('"""\n', `"""\n${generateKey().publicPem}`)],
    ['a private key', text.replace(key.publicPem, key.privatePem)],
    ['an owner that is no string', text.replace('"local"', '7')],
    ['an oversize owner', text.replace('local', 'x'.repeat(2000))],
    ['megabytes', text + '#'.repeat(1e6)],
    ['broken TOML', `${text}[[[`],
    ['no table', 'public_key = 7\nfingerprint = "0123456789abcdef"'],
    ['nothing', ''],
  ])('is refused with %s', async (_, wrong) => {
    expect(wrong).not.toBe(text)
    await expect(parseIdentity(wrong)).rejects.toMatchObject({ code: 'KEY_INVALID' })
  })

  it.each([
    ['broken TOML', `${text}[[[`, /^not valid TOML: /],
    ['a PEM that is no text', text.replace(/pem = [\s\S]*/, 'pem = 7\n'), /^expected `pem`/],
    [
      'no table for the PEM',
      `public_key = 7\n${text.replace(/\[public_key\][\s\S]*/, '')}`,
      /to be a table$/,
    ],
    ['an extra key', `admin = true\n${text}`, /^unexpected key `admin` in the document$/],
    ['no fingerprint', text.replace(/fingerprint.*\n/, ''), /^expected `fingerprint` to be 16 lower-case/],
    ['another category', text.replace('keys/trusted', 'keys/x'), /^expected `category` to be/],
    ['another fingerprint', text.replace(key.fingerprint, 'f'.repeat(16)), /but the document says/],
  ])('says what is wrong with %s', async (_, wrong, message) => {
    await expect(parseIdentity(wrong)).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })

  it('may be as long as its limits, and not a byte longer', async () => {
    const [owner, attestation] = ['o'.repeat(1024), 'a'.repeat(1024)]
    expect(await parseIdentity(printIdentity({ ...identity, owner, attestation }))).toMatchObject({
      owner,
      attestation,
    })
    await expect(parseIdentity(printIdentity({ ...identity, owner: `${owner}o` }))).rejects.toThrow(
      'expected `owner` to be a string of at most 1024 characters',
    )
    const padded = `${text}#${'x'.repeat(16_384 - text.length - 1)}`
    expect(await parseIdentity(padded)).toMatchObject({ fingerprint: key.fingerprint })
    await expect(parseIdentity(`${padded}x`)).rejects.toThrow('too large')
  })

  it('needs no bounds to be a record of the trust store, and gets none', async () => {
    expect(printTrustRecord(identity)).toBe(text)
    expect(await parseTrustRecord(text)).toEqual(await parseIdentity(text))
    await expect(parseTrustRecord(`${text}\n[bounds]\n`)).rejects.toThrow('among the bounds')
  })

  it('has no lone surrogate in it, which no file can hold', () => {
    expect(printIdentity({ ...identity, owner: 'a\ud800b' })).toContain('owner = "a\ufffdb"')
  })
})
