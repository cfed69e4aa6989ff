import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGlob, matchesGlob } from '../../src/item/id-glob.ts'

describe('patterns over ids', () => {
  it.each([
    ['*', 'a', true],
    ['*', 'a/b/c', true],
    ['deploy*', 'ops/deploy-site', true],
    ['deploy*', 'deploy/site', false],
    ['ops/*', 'ops/a', true],
    ['ops/*', 'ops/a/b', false],
    ['ops/**', 'ops/a/b', true],
    ['**/b', 'b', true],
    ['**/b', 'a/x/b', true],
    ['a/**/c', 'a/c', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'axxbyy', false],
    ['x', 'x', true],
    ['x/y', 'x/z', false],
  ])('%s over %s is %s', (pattern, id, expected) => {
    expect(matchesGlob(pattern, id)).toBe(expected)
  })

  it('matches every id against itself and against the pattern of all', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,5}(\/[a-z0-9]{1,5}){0,4}$/), id => {
        expect(matchesGlob(id.includes('/') ? id : `**/${id}`, id)).toBe(true)
        expect(matchesGlob('**', id)).toBe(true)
        expect(isGlob(id)).toBe(false)
      }),
    )
  })

  it('takes no longer for a pattern made to be slow', () => {
    expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(250))).toBe(false)
    expect(matchesGlob(`${'**/'.repeat(80)}x`, `${'a/'.repeat(100)}y`)).toBe(false)
  })
})
