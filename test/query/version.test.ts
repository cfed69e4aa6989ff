import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareVersions, parseVersion, type Version } from '../../src/query/version.ts'

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

test.each(['', '1.', '.1', '1..2', 'one', '1.0 beta', '-1', '1.0-', '1'.repeat(300)])(
  '%j is no version',
  text => {
    expect(parseVersion(text)).toBeUndefined()
  },
)

test('swapping two versions swaps their order', () => {
  const part = fc.nat({ max: 20 }).map(String)
  const version = fc
    .tuple(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(part, fc.constantFrom('a', 'b')), { maxLength: 2 }),
    )
    .map(([numbers, prerelease]): Version => ({ numbers, prerelease }))
  fc.assert(
    fc.property(version, version, (left, right) => {
      expect(Math.sign(compareVersions(left, right)) + Math.sign(compareVersions(right, left))).toBe(0)
    }),
  )
})

function read(text: string): Version {
  const version = parseVersion(text)
  if (version === undefined) throw new Error(`no version: ${text}`)
  return version
}
