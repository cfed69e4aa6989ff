import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeBounds, isExpired, outsideBounds, readBounds } from '../../src/trust/bounds.ts'
import { describeKey, parseTrustRecord, printTrustRecord } from '../../src/trust/identity-document.ts'
import { sign } from '../../src/trust/sign.ts'
import { signSkill, verifySkill } from '../../src/trust/skill-manifest.ts'
import type { SignedFile, TrustBounds } from '../../src/trust/types.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, key, NOW, samples } from './samples.ts'

const IDENTITY = describeKey(key.publicPem, 'ann')
const FINGERPRINT = key.fingerprint
const now = new Date(NOW)

/** What trust with these bounds says of an item. */
function under(bounds: TrustBounds | undefined, file: SignedFile, at = now) {
  const keys = new Map([[FINGERPRINT, bounds ? { ...IDENTITY, bounds } : IDENTITY]])
  return verify(file, contextWith({ keys, now: at }))
}

function signed(file: SignedFile, format: 'v1' | 'v2' = 'v2'): SignedFile {
  const made = sign(file, key, { timestamp: NOW, format })
  return { ...file, bytes: made.bytes, ...(made.detached && { detached: made.detached }) }
}

const tool = (id: string, root?: string) =>
  signed({ ...samples['python tool']!, id, ...(root !== undefined && { root }) })

describe('trust for some ids', () => {
  it.each([
    ['tool:team/*', 'team/deploy', true],
    ['tool:team/*', 'team/ops/deploy', false],
    ['tool:team/**', 'team/ops/deploy', true],
    ['tool:team/*', 'teams/deploy', false],
    ['tool:team/*', 'team', false],
    ['tool:team/*', 'other/team/deploy', false],
    ['tool:team*', 'team-x', true],
    ['tool:team*', 'evil/team-x', false],
    ['tool:deploy', 'deploy', true],
    ['tool:deploy', 'evil/deploy', false],
    ['tool:*', 'a/b/c', true],
    ['*', 'a/b/c', true],
    ['team/?', 'team/x', true],
    ['knowledge:team/*', 'team/deploy', false],
    ['config:*', 'team/deploy', false],
  ])('%s and tool:%s: %s', (pattern, id, expected) => {
    const { status, reason } = under({ for: [pattern] }, tool(id))
    expect(status).toBe(expected ? 'verified' : 'untrusted')
    if (!expected) {
      expect(reason).toContain(`trusted for ${pattern} only`)
      expect(reason).toContain(`--for tool:${id}`)
    }
  })

  it('holds for skills, too', () => {
    const skill = { id: 'team/pdf', files: new Map([['SKILL.md', 'a'.repeat(64)]]) }
    const { bytes } = signSkill(skill, key, { timestamp: NOW })
    const judged = (bounds: TrustBounds) =>
      verifySkill(
        { ...skill, signature: bytes, root: '/srv/a' },
        contextWith({ keys: new Map([[FINGERPRINT, { ...IDENTITY, bounds }]]) }),
      ).status
    expect(judged({ for: ['skill:team/*'] })).toBe('verified')
    expect(judged({ for: ['tool:team/*'] })).toBe('untrusted')
    expect(judged({ project: ['/srv/a'] })).toBe('verified')
    expect(judged({ project: ['/srv/b'] })).toBe('untrusted')
  })

  it('takes no old signature, which names no id: it could have been moved there', () => {
    const old = signed({ ...samples['python tool']!, id: 'team/deploy' }, 'v1')
    expect(under(undefined, old).status).toBe('verified')
    expect(under({ for: ['tool:team/*'] }, old)).toMatchObject({ status: 'untrusted' })
    expect(under({ until: '2027-01-01' }, old).status).toBe('verified')
  })
})

describe('trust in some projects', () => {
  it.each([
    [['/srv/a'], '/srv/a', 'verified'],
    [['/srv/a', '/srv/b'], '/srv/b', 'verified'],
    [['/srv/a'], '/srv/b', 'untrusted'],
    [['/srv/a'], '/srv/a/inner', 'untrusted'],
    [['/srv/a'], '/srv', 'untrusted'],
    [['/srv/a'], '/srv/a/../b', 'untrusted'],
    [['/srv/a'], undefined, 'untrusted'],
  ])('%j and %s: %s', (project, root, status) => {
    expect(under({ project }, tool('x', root)).status).toBe(status)
  })
})

describe('trust until', () => {
  it.each([
    ['2026-03-01', '2026-03-01T23:59:59Z', false],
    ['2026-03-01', '2026-03-02T00:00:00Z', true],
    ['2026-03-01T12:00:00Z', '2026-03-01T11:59:59Z', false],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z', true],
  ])('%s, at %s: over is %s', (until, at, expected) => {
    expect(isExpired({ until }, new Date(at))).toBe(expected)
    // The signature was made before: what counts is the time at which it is read.
    const { status } = under({ until }, signed({ ...samples['python tool']!, id: 'x' }), new Date(at))
    expect(status === 'verified').toBe(!expected)
  })
})

const bounds = fc.record(
  {
    for: fc.array(
      fc.constantFrom('tool:*', 'tool:demo/*', 'directive:**', '*', 'knowledge:notes/?ntry', 'x'),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    project: fc.array(fc.constantFrom('/a', '/b', '/a/b'), { minLength: 1, maxLength: 2 }),
    until: fc.constantFrom('2026-02-28', '2026-03-01', '2027-01-01', '2026-03-01T11:00:00Z'),
  },
  { requiredKeys: [] },
)
const some = bounds.filter(given => Object.keys(given).length > 0)

describe('bounds', () => {
  it('only ever take away: what is verified under them is verified without, and under each alone', () => {
    const files = Object.values(samples).flatMap(file => [signed(file), file])
    fc.assert(
      fc.property(
        some,
        fc.constantFrom(...files),
        fc.constantFrom('/a', '/b', undefined),
        (given, file, root) => {
          const placed = { ...file, ...(root !== undefined && { root }) }
          const narrow = under(given, placed)
          const wide = under(undefined, placed)
          if (narrow.status === 'verified') {
            expect(wide.status).toBe('verified')
            for (const [name, value] of Object.entries(given))
              expect(under({ [name]: value }, placed).status).toBe('verified')
          } else if (wide.status !== 'verified') expect(narrow).toEqual(wide)
          else expect(narrow).toEqual({ ...wide, status: 'untrusted', reason: expect.any(String) })
        },
      ),
    )
  })

  it('come back from a document as they were, by our reader and by any other', async () => {
    await fc.assert(
      fc.asyncProperty(some, async given => {
        const text = printTrustRecord({ ...IDENTITY, bounds: given })
        expect((await parseTrustRecord(text)).bounds).toEqual(given)
        // A comment keeps our own quick reader from recognising it.
        expect((await parseTrustRecord(`# by hand\n${text}`)).bounds).toEqual(given)
      }),
    )
  })

  it.each([
    ['no table', 7],
    ['an empty table', {}],
    ['an unknown bound', { untill: '2027-01-01' }],
    ['no patterns', { for: [] }],
    ['a pattern that is no list', { for: 'tool:team/*' }],
    ['an unknown type', { for: ['tools:team/*'] }],
    ['an upward path', { for: ['tool:../x y'] }],
    ['a pattern with a space', { for: ['tool:team/ *'] }],
    ['an empty pattern', { for: ['tool:'] }],
    ['a pattern of numbers', { for: [7] }],
    ['a relative project', { project: ['here'] }],
    ['a project that is no text', { project: [null] }],
    ['too many', { for: Array(33).fill('x') }],
    ['a day that is none', { until: '2026-02-30' }],
    ['a local time', { until: '2026-02-20T10:00:00' }],
    ['a number', { until: 2027 }],
    ['a date of TOML', { until: new Date() }],
    ['nothing', { until: '' }],
  ])('with %s are refused', (_, value) => {
    expect(readBounds(value)).toEqual(expect.any(String))
  })

  it.each([
    ['32 patterns', { for: Array(32).fill('x') }],
    ['a pattern of 255 characters', { for: [`tool:${'x'.repeat(250)}`] }],
    ['a path of 4096 characters', { project: [`/${'x'.repeat(4095)}`] }],
    ['a config, which is no item that can be searched', { for: ['config:team/*'] }],
  ])('with %s are read', (_, value) => {
    expect(readBounds(value)).toEqual(value)
  })

  it.each([
    ['a pattern of 256 characters', { for: [`tool:${'x'.repeat(251)}`] }],
    ['a path of 4097 characters', { project: [`/${'x'.repeat(4096)}`] }],
    ['a path with a null character', { project: ['/a\0b'] }],
    ['a wrong pattern behind a right one', { for: ['tool:x', 'tools:x'] }],
    ['33 projects', { project: Array(33).fill('/a') }],
    ['a day and a time of day that is none', { until: '2026-02-20T24:00:00Z' }],
  ])('with %s are refused, too', (_, value) => {
    expect(readBounds(value)).toMatch(/^expected `(for|project|until)` to be/)
  })

  it('are said in words', () => {
    expect(describeBounds({ for: ['tool:team/*', 'x'], project: ['/srv/a'], until: '2027-01-01' })).toBe(
      'for tool:team/*, x, in /srv/a, until 2027-01-01',
    )
  })

  it.each<[TrustBounds, string]>([
    [{ for: ['x'] }, 'for x'],
    [{ project: ['/a', '/b'] }, 'in /a, /b'],
    [{ until: '2027-01-01' }, 'until 2027-01-01'],
  ])('are said in words when there is one kind: %j', (given, words) => {
    expect(describeBounds(given)).toBe(words)
  })

  it('that are no table are called that', () => {
    for (const value of [7, null, 'x']) expect(readBounds(value)).toBe('expected the bounds to be a table')
  })

  it('take an item that one of several patterns covers', () => {
    const several = { for: ['tool:other', 'tool:team/*', 'knowledge:*'] }
    expect(under(several, tool('team/deploy')).status).toBe('verified')
    expect(under(several, tool('x')).status).toBe('untrusted')
  })

  it('leave the place open where it is not known', () => {
    const item = { type: 'tool', id: 'x' } as const
    const outside = (given: TrustBounds) =>
      outsideBounds({ fingerprint: FINGERPRINT, bounds: given }, item, now)
    expect(outside({ project: ['/a'] })).toMatch(/ --project \/a --project PATH$/)
    expect(outside({ until: '2026-02-01' })).toMatch(/was trusted until 2026-02-01; .* --until DATE$/)
    expect(outside({ for: ['y'] })).toMatch(/ is trusted for y only; .* --for y --for tool:x$/)
  })

  it('name the command that would widen them, all of them kept', () => {
    const given = { for: ['tool:team/*'], project: ['/my srv'], until: '2027-01-01' }
    const outside = outsideBounds(
      { fingerprint: FINGERPRINT, bounds: given },
      { type: 'tool', id: 'x', root: '/b' },
      now,
    )
    expect(outside).toContain(
      `rye keys trust ${FINGERPRINT} --for 'tool:team/*' --project '/my srv' --project /b --until 2027-01-01`,
    )
  })
})

describe('a revoked key', () => {
  it('verifies nothing, whoever trusts it', () => {
    const revoked = new Map([[FINGERPRINT, { reason: 'laptop stolen' }]])
    for (const file of Object.values(samples)) {
      const verdict = verify(signed(file), contextWith({ revoked }))
      expect(verdict).toMatchObject({
        status: 'untrusted',
        reason: `key ${FINGERPRINT} is revoked: laptop stolen`,
      })
    }
  })
})
