import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { describeKey, parseIdentity, printIdentity } from '../../src/trust/identity-document.ts'
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
})
