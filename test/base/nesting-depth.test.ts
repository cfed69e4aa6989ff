import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDeeperThan, isTextDeeperThan } from '../../src/base/nesting-depth.ts'

/** `levels` arrays and objects inside each other, in turn; the innermost is empty. */
function nest(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

describe('the depth of a value', () => {
  it.each([
    [1, 0, false],
    [[], 0, false],
    [[1], 0, true],
    [[[1]], 1, true],
    [[[1]], 2, false],
    [{ a: { b: 1 } }, 1, true],
    [{ a: { b: 1 } }, 2, false],
  ])('%j is deeper than %i: %s', (value, most, expected) => {
    expect(isDeeperThan(value, most)).toBe(expected)
  })

  it('is that of its deepest part', () => {
    expect(isDeeperThan([1, { a: nest(5) }, 2], 6)).toBe(false)
    expect(isDeeperThan([1, { a: nest(6) }, 2], 6)).toBe(true)
  })

  it('is found without recursion', () => {
    expect(isDeeperThan(nest(200_000), 1000)).toBe(true)
  })
})

describe('the depth of a JSON text', () => {
  it.each([
    ['', 0, false],
    ['1', 0, false],
    ['[]', 0, true],
    ['[[]]', 1, true],
    ['[[]]', 2, false],
    ['[],[],[]', 1, false],
    ['{"a":[{}]}', 2, true],
    ['{"a":[{}]}', 3, false],
    ['"[[[["', 0, false],
    ['["\\"[[["]', 1, false],
    ['["\\\\",[]]', 1, true],
  ])('%s is deeper than %i: %s', (text, most, expected) => {
    expect(isTextDeeperThan(text, most)).toBe(expected)
  })

  it('is the number of brackets around its innermost value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 }), (levels, most) => {
        expect(isTextDeeperThan(JSON.stringify(nest(levels)), most)).toBe(levels > most)
        expect(isDeeperThan(nest(levels), most)).toBe(levels - 1 > most)
      }),
    )
  })
})
