import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { makeLine } from '../../src/trust/sign.ts'
import { printSignatureLine, SIDECAR_MARKS } from '../../src/trust/signature-line.ts'
import { printSkillManifest, signSkill, skillChanges, verifySkill } from '../../src/trust/skill-manifest.ts'
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

  it('may hold a path of 1024 characters', () => {
    const long = new Map(files).set('x'.repeat(1024), sha256Hex('x'))
    const { bytes } = signSkill({ id: 'office/pdf', files: long }, key, { timestamp: NOW })
    expect(statusOf({ files: long, signature: bytes })).toBe('verified')
    expect(statusOf({ files: new Map(files).set('x'.repeat(1025), sha256Hex('x')) })).toBe('malformed')
  })

  /** Whatever list, signed by a trusted key: only its reading can refuse it. */
  function withList(list: string): SignedSkill {
    const item = { type: 'skill', id: 'office/pdf', file: 'SKILL.md' } as const
    const line = makeLine(item, Buffer.from(list), key, { timestamp: NOW, format: 'v2' })
    return { ...skill, signature: Buffer.from(`${printSignatureLine(line, SIDECAR_MARKS)}\n${list}`) }
  }

  const [a, b] = [`${sha256Hex('a')}  a\n`, `${sha256Hex('b')}  b\n`]
  it.each([
    ['whose last line has no end', (a + b).slice(0, -1), /^the last line of the file list has no line feed$/],
    ['that is not sorted', b + a, /^the file list is not sorted$/],
    ['that names a file twice', a + a, /^the file list has a bad line/],
    ['with an empty line', `${a}\n${b}`, /^the file list has a bad line ``$/],
    ['with a digest in upper case', a.toUpperCase(), /^the file list has a bad line/],
    ['with a digest that is too long', `0${a}`, /^the file list has a bad line/],
    ['with one space', a.replace('  ', ' '), /^the file list has a bad line/],
    ['with a path that leads out', a.replace('  a', '  ../a'), /^the file list has a bad line/],
  ])('has no list %s, whoever signed it', (_, list, reason) => {
    const odd = withList(list)
    expect(verifySkill(odd, context)).toMatchObject({
      status: 'malformed',
      signer: key.fingerprint,
      reason: expect.stringMatching(reason),
    })
    expect(skillChanges(odd)).toEqual([])
  })

  it('without any file verifies, and any file is one too many', () => {
    expect(verifySkill({ ...withList(''), files: new Map() }, context).status).toBe('verified')
    expect(verifySkill(withList(''), context).status).toBe('tampered')
  })

  it('has no digest that is none, although the list and the folder agree', () => {
    const odd = new Map([['a', 'x'.repeat(64)]])
    expect(verifySkill({ ...withList(printSkillManifest(odd)), files: odd }, context).status).toBe(
      'malformed',
    )
  })

  it('shows 120 characters of a path, whatever is wrong with it', () => {
    const long = 'p'.repeat(130)
    const shown = `\`${'p'.repeat(120)}...\``
    const digest = sha256Hex('x')
    const reasonOf = (list: string, found: [string, string][]) =>
      verifySkill({ ...withList(list), files: new Map(found) }, context).reason
    expect(reasonOf(`${digest}  ${long}\n`, [])).toBe(`file ${shown} is missing`)
    expect(reasonOf(`${digest}  ${long}\n`, [[long, sha256Hex('y')]])).toBe(`file ${shown} differs`)
    expect(reasonOf('', [[long, digest]])).toBe(`file ${shown} is not in the signed list`)
    expect(reasonOf('', [[`${long}//`, digest]])).toContain(`file ${shown}: expected a plain path`)
    expect(reasonOf(`${long}\n`, [])).toBe(`the file list has a bad line ${shown}`)
    expect(() => printSkillManifest(new Map([[`${long}//`, digest]]))).toThrow(`the file ${shown}: expected`)
    expect(skillChanges({ ...withList(''), files: new Map([[long, digest]]) })).toEqual([`added: ${shown}`])
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
