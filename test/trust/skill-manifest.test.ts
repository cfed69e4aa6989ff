import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { printSkillManifest, signSkill, verifySkill } from '../../src/trust/skill-manifest.ts'
import type { SignedSkill } from '../../src/trust/types.ts'
import { contextWith, key, NOW, stranger } from './samples.ts'

const files = new Map(
  ['scripts/run.py', 'SKILL.md', 'references/a b.md', 'scripts/ä.py'].map(path => [path, sha256Hex(path)]),
)
const context = contextWith()
const sealed = signSkill({ id: 'office/pdf', files }, key, { timestamp: NOW })
const skill: SignedSkill = { id: 'office/pdf', files, signature: sealed.bytes }
const statusOf = (changes: Partial<SignedSkill>) => verifySkill({ ...skill, ...changes }, context).status

describe('a signed skill', () => {
  it('verifies, whatever the order of the listing, with or without its own signature file in it', () => {
    const listing = new Map([...files].reverse().concat([['SKILL.sig', sha256Hex('x')]]))
    for (const given of [files, listing])
      expect(verifySkill({ ...skill, files: given }, context)).toMatchObject({
        status: 'verified',
        format: 'v2',
        coverage: 'full',
        signer: key.fingerprint,
      })
  })

  it('lists its files as sha256sum does, sorted by bytes', () => {
    const lines = Buffer.from(sealed.bytes).toString().split('\n')
    expect(lines[0]).toMatch(/^# rye:signed:/)
    expect(lines.slice(1).map(line => line.slice(64))).toEqual([
      '  SKILL.md',
      '  references/a b.md',
      '  scripts/run.py',
      '  scripts/ä.py',
      '',
    ])
  })

  it.each<[string, Map<string, string>, string]>([
    ['a changed file', new Map(files).set('SKILL.md', sha256Hex('other')), '`SKILL.md` differs'],
    [
      'an extra file',
      new Map(files).set('scripts/evil.py', sha256Hex('x')),
      '`scripts/evil.py` is not in the signed list',
    ],
    [
      'a nested signature file',
      new Map(files).set('scripts/SKILL.sig', sha256Hex('x')),
      '`scripts/SKILL.sig` is not in',
    ],
    ['a missing file', new Map([...files].slice(1)), '`scripts/run.py` is missing'],
    ['an empty folder', new Map(), 'is missing'],
  ])('with %s is tampered, and the reason names the path', (_, found, reason) => {
    const verdict = verifySkill({ ...skill, files: found }, context)
    expect(verdict).toMatchObject({ status: 'tampered', reason: expect.stringContaining(reason) })
  })

  it('with a changed file is tampered also when its key is unknown', () => {
    const nobody = contextWith({ keys: new Map() })
    expect(verifySkill(skill, nobody).status).toBe('untrusted')
    const changed = new Map(files).set('SKILL.md', sha256Hex('other'))
    expect(verifySkill({ ...skill, files: changed }, nobody).status).toBe('tampered')
  })

  it('is refused after any change of one byte of its signature file, and after any change of its lines', () => {
    const accepted: string[] = []
    const check = (what: string, bytes: Buffer) => {
      if (!bytes.equals(sealed.bytes) && statusOf({ signature: bytes }) === 'verified') accepted.push(what)
    }
    for (let offset = 0; offset < sealed.bytes.length; offset++)
      for (const value of [sealed.bytes[offset]! ^ 1, sealed.bytes[offset]! ^ 0x20, 10, 13]) {
        const changed = Buffer.from(sealed.bytes)
        changed[offset] = value
        check(`${offset} = ${value}`, changed)
      }
    const lines = Buffer.from(sealed.bytes)
      .toString()
      .split(/(?<=\n)/)
    for (let at = 0; at < lines.length; at++) {
      check(`delete ${at}`, Buffer.from(lines.toSpliced(at, 1).join('')))
      for (const line of lines) check(`insert at ${at}`, Buffer.from(lines.toSpliced(at, 0, line).join('')))
      for (let other = 0; other < lines.length; other++)
        check(
          `swap ${at} ${other}`,
          Buffer.from(lines.with(at, lines[other]!).with(other, lines[at]!).join('')),
        )
    }
    expect(accepted).toEqual([])
  })

  it('verifies under no other id, and is unsigned without its file', () => {
    expect(statusOf({ id: 'office/other' })).toBe('tampered')
    expect(verifySkill({ id: 'office/pdf', files }, context).status).toBe('unsigned')
    expect(statusOf({ signature: Buffer.from('nothing\n') })).toBe('unsigned')
    expect(statusOf({ id: '../pdf' })).toBe('malformed')
  })

  it('is untrusted when a stranger signed it', () => {
    const { bytes } = signSkill({ id: 'office/pdf', files }, stranger, { timestamp: NOW })
    expect(statusOf({ signature: bytes })).toBe('untrusted')
  })

  it.each([
    'a\nb',
    '../up',
    'a/../b',
    '/etc/passwd',
    'a//b',
    './a',
    '',
    'a\\b',
    'a\rb',
    ' a',
    'a\ufffdb',
    'x'.repeat(2000),
  ])('cannot hold a file called %j', path => {
    const odd = new Map(files).set(path, sha256Hex('x'))
    expect(() => signSkill({ id: 'office/pdf', files: odd }, key, { timestamp: NOW })).toThrow(
      expect.objectContaining({ code: 'ITEM_MALFORMED' }),
    )
    expect(statusOf({ files: odd })).toBe('malformed')
  })

  it('of the system verifies by the digest of its list', () => {
    const manifest = new Map([['skill:office/pdf', [sha256Hex(printSkillManifest(files))]]])
    const system = contextWith({ manifest, keys: new Map() })
    expect(verifySkill({ id: 'office/pdf', files }, system)).toMatchObject({
      status: 'verified',
      format: 'manifest',
    })
    expect(verifySkill({ id: 'office/pdf2', files }, system).status).toBe('unsigned')
  })
})
