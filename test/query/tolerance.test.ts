import { describe, expect, test } from 'vitest'
import { readFuzzy, readProximity } from '../../src/query/tolerance.ts'

test.each([
  [undefined, 0],
  [null, 0],
  [false, 0],
  [{}, 0],
  [0, 0],
  [true, 2],
  [1, 1],
  [{ enabled: true }, 2],
  [{ enabled: true, max_distance: 3 }, 3],
  [{ max_distance: 1 }, 1],
  [{ enabled: false, max_distance: 3 }, 0],
])('fuzzy %j allows %i edits', (value, expected) => {
  expect(readFuzzy(value)).toBe(expected)
})

test.each([
  [undefined, undefined],
  [false, undefined],
  [{}, undefined],
  [{ enabled: false, max_distance: 3 }, undefined],
  [0, 0],
  [true, 5],
  [{ enabled: true }, 5],
  [{ enabled: true, max_distance: 0 }, 0],
  [1000, 1000],
])('proximity %j allows %s words between', (value, expected) => {
  expect(readProximity(value)).toBe(expected)
})

describe('a tolerance is refused', () => {
  test.each([
    [-1, 'expected a whole number from 0 to 4, got -1'],
    [5, 'got 5'],
    [1e9, 'got 1000000000'],
    [1.5, 'got 1.5'],
    [Number.NaN, 'got NaN'],
    ['2', 'expected a number, true, false or {enabled, max_distance}, got a string'],
    [[2], 'invalid `fuzzy`'],
    [{ max_distance: '2' }, 'got a string'],
    [{ enabled: 'yes' }, 'expected enabled to be true or false, got a string'],
    [{ distance: 2 }, 'expected only enabled and max_distance, got `distance`'],
  ])('%j', (value, message) => {
    expect(() => readFuzzy(value)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => readFuzzy(value)).toThrow(message)
  })

  test('when more than a thousand words lie between', () => {
    expect(() => readProximity(1001)).toThrow(
      'invalid `proximity`: expected a whole number from 0 to 1000, got 1001',
    )
  })
})
