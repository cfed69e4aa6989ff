// Version ranges with npm's meaning.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newestIn, newestOf, parseRange, satisfies } from '../../../src/registry/protocol/version-range.ts'

const fits = (version: string, range: string) => satisfies(version, parseRange(range)!)

describe('a range', () => {
  it.each<[string, string[], string[]]>([
    ['^1.2.3', ['1.2.3', '1.9.0'], ['1.2.2', '2.0.0', '2.0.0-rc.1', '1.3.0-rc.1']],
    ['^0.2.3', ['0.2.3', '0.2.9'], ['0.3.0', '1.0.0']],
    ['^0.0.3', ['0.0.3'], ['0.0.4']],
    ['^1', ['1.0.0', '1.9.9'], ['2.0.0', '0.9.0']],
    ['~1.2.3', ['1.2.3', '1.2.9'], ['1.3.0']],
    ['~1', ['1.0.0', '1.9.0'], ['2.0.0']],
    ['1.x', ['1.0.0', '1.9.9'], ['2.0.0', '0.9.9']],
    ['1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
    ['1.2.3', ['1.2.3'], ['1.2.4']],
    ['=1.2.3', ['1.2.3'], ['1.2.4']],
    ['*', ['0.0.1', '9.9.9'], ['1.0.0-rc.1']],
    ['>=1.2 <2', ['1.2.0', '1.9.9'], ['2.0.0', '1.1.9']],
    ['> 1.2', ['1.3.0'], ['1.2.9']],
    ['<= 1.2', ['1.2.9'], ['1.3.0']],
    ['1.2 - 1.4', ['1.2.0', '1.4.9'], ['1.5.0', '1.1.0']],
    ['<1.0.0 || ^2.0.0', ['0.9.0', '2.1.0'], ['1.0.0', '3.0.0']],
    ['^1.0.0-rc.1', ['1.0.0-rc.1', '1.0.0-rc.2', '1.0.0'], ['1.1.0-rc.1', '1.0.0-beta']],
  ])('%s', (range, inside, outside) => {
    for (const version of inside) expect(fits(version, range), version).toBe(true)
    for (const version of outside) expect(fits(version, range), version).toBe(false)
  })

  it('is not any text', () => {
    for (const text of ['latest', 'next', '1.2.3.4', '^', '>>1', '1 || x.y', 'a'.repeat(200)])
      expect(parseRange(text), text).toBeUndefined()
  })

  it('is answered with the newest that fits', () => {
    const versions = ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1', '2.0.0']
    expect(newestIn(versions, parseRange('^1')!)).toBe('1.10.0')
    expect(newestIn(versions, parseRange('*')!)).toBe('2.0.0')
    expect(newestIn(versions, parseRange('^3')!)).toBeUndefined()
  })

  it('of all versions, the newest is the highest release, in whatever order they came', () => {
    expect(newestOf(['1.5.0', '1.10.0', '1.2.5', '2.0.0-rc.1'])).toBe('1.10.0')
    expect(newestOf(['1.0.0-rc.2', '1.0.0-rc.10', '1.0.0-beta'])).toBe('1.0.0-rc.10')
    expect(newestOf(['what', 'ever'])).toBe('ever')
  })

  it('a caret lies inside the tilde of its first number, and holds its own version', () => {
    const number = fc.integer({ min: 0, max: 20 })
    fc.assert(
      fc.property(number, number, number, number, number, (major, minor, patch, more, other) => {
        const version = `${major}.${minor}.${patch}`
        expect(fits(version, `^${version}`)).toBe(true)
        const later = `${major}.${minor + more}.${other}`
        if (fits(later, `^${version}`)) expect(fits(later, `~${major}`)).toBe(true)
      }),
    )
  })
})
