import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, parseFullVersion, parseVersion, type Version } from '../../src/item/version.ts'
import { fullVersionText, versionText } from './version-arbitraries.ts'

test('versions stand in their order', () => {
  // From https://semver.org, section 11, between shorter and longer ones.
  const ordered = [
    '0',
    '0.9.10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    'v1.0.0',
    '1.0.1',
    '1.2',
    '1.10',
    '1.10.0.1',
    '2',
    '99999999999999999998',
    '99999999999999999999',
  ].map(read)
  ordered.forEach((left, i) => {
    ordered.forEach((right, j) => {
      expect(Math.sign(compareVersions(left, right))).toBe(Math.sign(i - j))
    })
  })
})

test.each([
  ['1.2', '1.2.0'],
  ['1.02', '1.2'],
  ['1.0.0+a', '1.0.0+b'],
])('%s equals %s', (left, right) => {
  expect(compareVersions(read(left), read(right))).toBe(0)
})

test.each(['', '1.', '.1', '1..2', 'one', '1.0 beta', '-1', '1.0-', '1.0+', '1'.repeat(300)])(
  '%j is no version',
  text => {
    expect(parseVersion(text)).toBeUndefined()
  },
)

describe('the order of versions is total:', () => {
  test('swapping two swaps their order', () => {
    fc.assert(
      fc.property(versionText, versionText, (left, right) => {
        expect(orderOf(left, right) + orderOf(right, left)).toBe(0)
      }),
    )
  })

  test('what is before a second, which is before a third, is before the third', () => {
    fc.assert(
      fc.property(versionText, versionText, versionText, (...texts) => {
        const [low, middle, high] = texts.sort(orderOf) as [string, string, string]
        expect(orderOf(low, middle)).toBeLessThanOrEqual(0)
        expect(orderOf(middle, high)).toBeLessThanOrEqual(0)
        expect(orderOf(low, high)).toBe(Math.min(orderOf(low, middle), orderOf(middle, high)))
      }),
      { numRuns: 1000 },
    )
  })

  test('equal versions stand in the same place among all others', () => {
    fc.assert(
      fc.property(versionText, versionText, (text, other) => {
        const twin = text.replace(/^v?(\d+(?:\.\d+)*)/, 'v0$1.0')
        expect(orderOf(text, twin)).toBe(0)
        expect(orderOf(twin, other)).toBe(orderOf(text, other))
      }),
    )
  })

  test('a release comes after its pre-releases and before the next release', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 }), numbers => {
        const release = numbers.join('.')
        expect(orderOf(`${release}-zzz`, release)).toBe(-1)
        expect(orderOf(release, `${[...numbers.slice(0, -1), numbers.at(-1)! + 1].join('.')}-0`)).toBe(-1)
      }),
    )
  })
})

describe('a full version', () => {
  test('is read as any other', () => {
    fc.assert(
      fc.property(fullVersionText, text => {
        expect(parseFullVersion(text)).toEqual(read(text))
      }),
    )
  })

  test.each(['1', '1.0', '1.0.0.0', 'v1.0.0', ' 1.0.0', '1.0.0\n', '1.0.0-', '1.0.0-a b', '1.0.0+', 1, null])(
    'is not %j',
    value => {
      expect(parseFullVersion(value)).toBeUndefined()
    },
  )
})

function orderOf(left: string, right: string): number {
  return Math.sign(compareVersions(read(left), read(right)))
}

function read(text: string): Version {
  const version = parseVersion(text)
  if (version === undefined) throw new Error(`no version: ${text}`)
  return version
}
