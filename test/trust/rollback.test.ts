import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions, parseVersion } from '../../src/item/version.ts'
import { newestUse, rolledBackFrom, type SignedUse, signedUse } from '../../src/trust/rollback.ts'
import { sign } from '../../src/trust/sign.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, HASH_MARKS, key } from './samples.ts'

const use = (version: string | undefined, day: number, changes: Partial<SignedUse> = {}): SignedUse => ({
  ...(version !== undefined && { version }),
  timestamp: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`,
  format: 'v2',
  hash: 'a'.repeat(64),
  ...changes,
})

/** Accepted on a day. */
const accepted = (day: number, letter: string) =>
  use(undefined, day, { format: 'manifest', hash: letter.repeat(64) })

describe('an item has gone back', () => {
  it.each([
    ['signed earlier', use('1.0.0', 1), use('1.0.0', 2), true],
    ['signed earlier, without a version', use(undefined, 1), use(undefined, 2), true],
    ['of a lower version, signed later', use('1.9.0', 3), use('1.10.0', 2), true],
    ['of a higher version, signed earlier', use('2.0.0', 1), use('1.0.0', 2), true],
    ['the same', use('1.0.0', 2), use('1.0.0', 2), false],
    ['the same version in other words', use('1.0', 2), use('1.0.0', 2), false],
    ['newer in both', use('1.0.1', 3), use('1.0.0', 2), false],
    ['a pre-release of what was used', use('2.0.0-rc.1', 3), use('2.0.0', 2), true],
    ['without a version, signed later', use(undefined, 3), use('9.0.0', 2), false],
    ['v1 after v2, whatever time its line says', use('1.0.0', 3, { format: 'v1' }), use('1.0.0', 2), true],
    ['v2 after v1', use('1.0.0', 1), use('1.0.0', 2, { format: 'v1' }), false],
    ['v1 after a later v1', use('1.0.0', 1, { format: 'v1' }), use('1.0.0', 2, { format: 'v1' }), true],
    ['accepted earlier', accepted(1, 'b'), accepted(2, 'a'), true],
    ['accepted before what was signed', accepted(1, 'b'), use(undefined, 2), true],
    ['signed before what was accepted', use(undefined, 1), accepted(2, 'b'), true],
    ['signed by its maker before it was accepted', use(undefined, 1), accepted(2, 'a'), false],
    ['accepted by two people', accepted(1, 'a'), accepted(2, 'a'), false],
    ['v1 after it was accepted', use(undefined, 3, { format: 'v1' }), accepted(2, 'a'), true],
    ['a lower version, accepted later', { ...accepted(3, 'b'), version: '1.0' }, use('2.0', 2), true],
  ])('%s', (_, found, known, isBack) => {
    const { version, timestamp } = known
    const from = { ...(version !== undefined && { version }), timestamp }
    expect(rolledBackFrom(found, known)).toEqual(isBack ? from : undefined)
  })

  it('is asked only of verified bytes that a key has signed', () => {
    const file = {
      type: 'tool',
      id: 'a',
      extension: '.py',
      bytes: Buffer.from('x = 1\n'),
      format: HASH_MARKS,
    } as const
    const timestamp = '2026-01-01T00:00:00Z'
    const { bytes, signature } = sign(file, key, { timestamp, format: 'v2' })
    const verdict = verify({ ...file, bytes }, contextWith())
    expect(signedUse(verdict, '1.0')).toEqual({
      version: '1.0',
      timestamp,
      format: 'v2',
      hash: signature.hash,
    })
    expect(signedUse(verdict, 'yesterday')).toEqual({ timestamp, format: 'v2', hash: signature.hash })
    expect(signedUse({ ...verdict, status: 'tampered' }, '1.0')).toBeUndefined()
    // An item of the package has no time.
    expect(signedUse({ ...verdict, format: 'manifest', timestamp: null }, '1.0')).toBeUndefined()
  })
})

const anyUse: fc.Arbitrary<SignedUse> = fc
  .record({
    version: fc.option(fc.constantFrom('1', '1.0.0', '1.0.1', '2.0.0-rc.1', '2.0.0', 'v10.0'), {
      nil: undefined,
    }),
    day: fc.integer({ min: 1, max: 9 }),
    format: fc.constantFrom('v1' as const, 'v2' as const, 'manifest' as const),
    hash: fc.constantFrom('a', 'b').map(letter => letter.repeat(64)),
  })
  .map(({ version, day, format, hash }) => use(version, day, { format, hash }))

const newestOf = (uses: readonly SignedUse[]) => uses.reduce(newestUse)

describe('what is remembered', () => {
  it('is the same in whatever order things were used, and how often', () => {
    fc.assert(
      fc.property(fc.array(anyUse, { minLength: 1, maxLength: 8 }), fc.func(fc.integer()), (uses, rank) => {
        const shuffled = [...uses, ...uses.slice(0, 3)].sort((a, b) => rank(a) - rank(b))
        expect(newestOf(shuffled)).toEqual(newestOf(uses))
      }),
    )
  })

  it('is the newest version and the newest time of all uses', () => {
    fc.assert(
      fc.property(fc.array(anyUse, { minLength: 1, maxLength: 8 }), uses => {
        const newest = newestOf(uses)
        const timeOf = ({ format, timestamp }: SignedUse) => `${format === 'v1' ? 0 : 1} ${timestamp}`
        expect(timeOf(newest)).toBe(uses.map(timeOf).sort().at(-1))
        for (const { version } of uses)
          if (version !== undefined)
            expect(
              compareVersions(parseVersion(newest.version!)!, parseVersion(version)!),
            ).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('never moves back: what was older stays older after any further use, unless the same bytes were accepted since', () => {
    fc.assert(
      fc.property(fc.array(anyUse, { minLength: 1, maxLength: 6 }), anyUse, anyUse, (before, found, next) => {
        const known = newestOf(before)
        if (rolledBackFrom(found, known) === undefined) return
        if (next.hash === found.hash && [next, found].some(({ format }) => format === 'manifest')) return
        expect(rolledBackFrom(found, newestUse(known, next))).toBeDefined()
      }),
    )
  })

  it('makes no use of itself older, unless something newer was used as well', () => {
    fc.assert(
      fc.property(anyUse, one => {
        expect(rolledBackFrom(one, newestUse(one, one))).toBeUndefined()
      }),
    )
  })
})
