import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, parseVersion } from '../../src/item/version.ts'
import { type FilterRequest, matchesFilters, readFilters } from '../../src/query/filters.ts'
import { versionText } from '../item/version-arbitraries.ts'

const ITEM = {
  category: 'Git',
  version: '1.10.0',
  tags: ['vcs', 'Local'],
  author: 'Ada',
  stable: true,
  weight: 3,
  created: '2024-06-15',
  channel: 'latest',
  nested: { a: 1 },
}

describe('an item passes', () => {
  test.each<[FilterRequest]>([
    [{}],
    [{ filters: {} }],
    [{ filters: null, category: null, tags: undefined }],
    [{ category: 'git' }],
    [{ category: ['svn', 'git'] }],
    [{ category: 'git/' }],
    [{ filters: { category: ['svn', ' Git// '] } }],
    [{ tags: ['vcs'] }],
    [{ tags: 'local' }],
    [{ tags: ['none', 'local'] }],
    [{ filters: { author: ' ADA ' } }],
    [{ filters: { author: '!bob' } }],
    [{ filters: { author: '!BOB' } }],
    [{ filters: { author: '!=bob' } }],
    [{ filters: { missing: '!anything' } }],
    [{ filters: { tags: '!remote' } }],
    [{ filters: { stable: true, weight: 3 } }],
    [{ filters: { stable: 'true', weight: '3' } }],
    [{ filters: { version: '1.10.0' } }],
    [{ filters: { version: '>=1.9.0' } }],
    [{ filters: { version: '>= v1.10' } }],
    [{ filters: { version: '<=1.10' } }],
    [{ filters: { version: '>1.9.99' } }],
    [{ filters: { version: '<2' } }],
    [{ filters: { version: '>1.10.0-rc.1' } }],
    [{ filters: { version: ['<1', '>=1.5'] } }],
    [{ filters: { version: { all: ['>=1.2', '<2.0.0'] } } }],
    [{ filters: { version: { all: ['>=1.2'] } } }],
    [{ filters: { tags: { all: ['vcs', 'local', '!remote'] } } }],
    [{ filters: { author: { all: [['bob', 'ada'], '!eve'] } } }],
    [{ filters: { all: '!x' } }],
    [{ filters: { created: '>=2024-06-15' } }],
    [{ filters: { created: '<=2024-06-15' } }],
    [{ filters: { created: '<2024-06-15T00:00:01Z' } }],
    [{ filters: { weight: '>2' } }],
    [{ date_from: '2024-06-15', date_to: '2024-06-15' }],
    [{ date_from: '2024-06-15T12:00:00Z' }],
    [{ date_from: '2024-06-15T12:00:00Z', date_to: '2024-06-15T12:00:00Z' }],
    [{ date_to: '2024-06-15T14:00+02:00' }],
    [{ filters: { date_from: '2024-01-01', date_to: '2024-12-31' } }],
    [{ filters: { date_from: { all: ['2024-06-01', '2024-01-01'] }, date_to: { all: ['2024-06-15'] } } }],
  ])('%j', request => {
    expect(passes(request)).toBe(true)
  })
})

describe('an item does not pass', () => {
  test.each<[FilterRequest]>([
    [{ category: '!git/' }],
    [{ category: 'gi' }],
    [{ category: 'git/hub' }],
    [{ category: 'git/hub/' }],
    [{ category: '/' }],
    [{ tags: 'vcs/' }],
    [{ tags: ['remote'] }],
    [{ filters: { author: '!ada' } }],
    [{ filters: { tags: '!vcs' } }],
    [{ filters: { missing: 'x' } }],
    [{ filters: { missing: '>=1' } }],
    [{ filters: { nested: '[object Object]' } }],
    [{ filters: { toString: 'x' } }],
    [{ filters: { version: '>1.10.0' } }],
    [{ filters: { version: '<1.9.0' } }],
    [{ filters: { version: '<1.10.0' } }],
    [{ filters: { created: '<2024-06-15' } }],
    [{ filters: { weight: '<3' } }],
    [{ filters: { channel: '>=0' } }],
    [{ filters: { channel: '<=99' } }],
    [{ filters: { created: '>2024-06-15' } }],
    [{ filters: { version: '>=2024-01-01' } }],
    [{ filters: { author: 'ada', stable: false } }],
    [{ filters: { version: { all: ['>=1.2', '<1.5'] } } }],
    [{ filters: { version: { all: ['>=2', '<3'] } } }],
    [{ filters: { tags: { all: ['vcs', 'remote'] } } }],
    [{ date_from: '2024-01-01', filters: { date_from: '2024-06-16' } }],
    [{ date_to: '2024-12-31', filters: { date_to: { all: ['2024-07-01', '2024-06-14'] } } }],
    [{ date_from: '2024-06-16' }],
    [{ date_to: '2024-06-14' }],
  ])('%j', request => {
    expect(passes(request)).toBe(false)
  })
})

test('bounds of a version hold as the order of versions says', () => {
  fc.assert(
    fc.property(versionText, versionText, (version, bound) => {
      const order = compareVersions(parseVersion(version)!, parseVersion(bound)!)
      const holds = (op: string) =>
        matchesFilters(readFilters({ filters: { version: op + bound } }), {
          get: () => version,
          date: undefined,
        })
      expect(['<', '<=', '>=', '>'].map(holds)).toEqual([order < 0, order <= 0, order >= 0, order > 0])
    }),
  )
})

test('all of some conditions hold as each of them alone', () => {
  const comparison = fc
    .tuple(fc.constantFrom('<', '<=', '>=', '>', '!', ''), versionText)
    .map(parts => parts.join(''))
  const condition = fc.oneof(comparison, fc.array(comparison, { minLength: 1, maxLength: 2 }))
  fc.assert(
    fc.property(versionText, fc.array(condition, { minLength: 1, maxLength: 4 }), (version, conditions) => {
      const holds = (value: unknown) =>
        matchesFilters(readFilters({ filters: { version: value } }), { get: () => version, date: undefined })
      expect(holds({ all: conditions })).toBe(conditions.every(holds))
    }),
  )
})

test('a list holds a comparison as one of its entries does, and an unequal when none is equal', () => {
  const entry = fc.oneof(
    versionText,
    fc.constantFrom('latest', '2024-06-15', '2024-06-15T12:00:00Z', 3, true),
  )
  const bound = fc.oneof(versionText, fc.constantFrom('2024-06-15', '2024-06-15T18:00:00Z'))
  const comparison = fc.tuple(fc.constantFrom('<', '<=', '>=', '>', ''), bound).map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), comparison, (entries, asked) => {
      const holds = (test: string, value: unknown) =>
        matchesFilters(readFilters({ filters: { x: test } }), { get: () => value, date: undefined })
      expect(holds(asked, entries)).toBe(entries.some(value => holds(asked, value)))
      expect(holds('!latest', entries)).toBe(!entries.includes('latest'))
    }),
  )
})

test('an item without a date is outside every range of dates', () => {
  const filters = readFilters({ date_from: '1970-01-01' })
  expect(matchesFilters(filters, { get: () => undefined, date: undefined })).toBe(false)
})

test('a key such as __proto__ is a field like any other', () => {
  const filters = readFilters({ filters: JSON.parse('{"__proto__": "x", "constructor": "y"}') })
  expect(filters.filters.map(filter => filter.field)).toEqual(['__proto__', 'constructor'])
})

describe('a filter is refused', () => {
  test.each<[FilterRequest, string]>([
    [
      { filters: 'category=git' },
      'invalid `filters`: expected an object with a value for each field, got a string',
    ],
    [{ filters: ['a'] }, 'got a list'],
    [
      { filters: { a: null } },
      'invalid `a`: expected text, a number, true, false or a list of these, got null',
    ],
    [{ filters: { a: { b: 1 } } }, 'got an object'],
    [{ filters: { a: [] } }, 'expected a list of 1 to 100 values, got 0'],
    [{ filters: { a: Array.from({ length: 101 }, String) } }, 'got 101'],
    [{ filters: { a: [['x']] } }, 'got a list inside a list'],
    [{ filters: { a: { all: [] } } }, 'got an object'],
    [{ filters: { a: { all: 'x' } } }, 'got an object'],
    [{ filters: { a: { all: ['x'], any: ['y'] } } }, 'got an object'],
    [{ filters: { a: { all: [{ all: ['x'] }] } } }, 'got an object'],
    [{ filters: { a: { all: [null] } } }, 'got null'],
    [{ filters: { a: { all: ['>=1', '>=soon'] } } }, 'got `soon`'],
    [{ filters: { a: { all: Array.from({ length: 101 }, String) } } }, 'got 101'],
    [{ filters: { date_from: { all: Array.from({ length: 101 }, () => '2024-01-01') } } }, 'got 101'],
    [{ filters: { date_from: { all: ['2024-01-01', 'soon'] } } }, 'invalid `date_from`'],
    [{ date_from: '2024-01-01', filters: { date_from: 'soon' } }, 'invalid `date_from`'],
    [{ filters: { date_to: ['2024-01-01'] } }, 'got a list'],
    [{ filters: { a: '!' } }, 'expected a value after `!`'],
    [{ filters: { a: '>=' } }, 'expected a version or a date after `>=`, got ``'],
    [{ filters: { a: '>=soon' } }, 'got `soon`'],
    [{ filters: { a: '<1.x' } }, 'got `1.x`'],
    [{ filters: { a: `>=${'1.'.repeat(100_000)}` } }, 'expected a version or a date'],
    [
      { filters: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, 1])) },
      'at most 100 filters',
    ],
    [
      { filters: { a: { all: Array(60).fill('!x') }, b: { all: Array(60).fill('!x') } } },
      'at most 100 filters, got 120',
    ],
    [
      { filters: { a: { all: Array(6).fill(Array(84).fill('!x')) } } },
      'at most 100 values in all lists together, got 504',
    ],
    [{ tags: {} }, 'invalid `tags`'],
    [{ date_from: '2024-02-30' }, 'invalid `date_from`: expected a date such as'],
    [{ date_from: '2024-13-01' }, 'got `2024-13-01`'],
    [{ date_from: '0024-01-01x' }, 'invalid `date_from`'],
    [{ date_to: 'yesterday' }, 'invalid `date_to`'],
    [{ date_to: '2024-01-01T25:00' }, 'invalid `date_to`'],
    [{ date_to: 20240101 }, 'got a number'],
    [{ date_from: '2024-02-01', date_to: '2024-01-01' }, 'expected a date no later than `date_to`'],
  ])('%#', (request, message) => {
    expect(() => readFilters(request)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => readFilters(request)).toThrow(message)
  })
})

function passes(request: FilterRequest): boolean {
  return matchesFilters(readFilters(request), {
    get: field => (Object.hasOwn(ITEM, field) ? Reflect.get(ITEM, field) : undefined),
    date: Date.UTC(2024, 5, 15, 12),
  })
}
