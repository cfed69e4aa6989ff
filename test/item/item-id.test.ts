import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryOf, checkId, idProblem, nameOf } from '../../src/item/item-id.ts'

const segment = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}$/)

describe('item ids', () => {
  it.each(['a', 'rye/bash', 'rye/file-system/write', '_private', 'v1.2', 'A/b_c/d-e.f', '0'])(
    'accepts %s',
    id => {
      expect(checkId(id)).toBe(id)
    },
  )

  it.each([
    '',
    '/',
    '/etc/passwd',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    '../a',
    '.hidden',
    'a/.git',
    '-rf',
    'a b',
    'a\\b',
    'a\0b',
    'a\nb',
    'ä',
    'a/\u202eb',
    'C:',
    'a:b',
    'a@b',
    'a*',
    'x'.repeat(256),
    `${'a/'.repeat(127)}bc`,
  ])('refuses %j', id => {
    expect(() => checkId(id)).toThrow(expect.objectContaining({ code: 'INVALID_ID' }))
  })

  it.each([undefined, null, 7, {}, [], true])('refuses %j, which is no string', id => {
    expect(idProblem(id)).toContain('expected a string')
  })

  it('never shows raw control characters in its message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), id => {
        if (idProblem(id) === undefined) return
        expect(() => checkId(id)).toThrow(/^[^\p{Cc}]*$/u)
      }),
    )
  })

  it('splits an id into category and name', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), segments => {
        const id = segments.join('/')
        expect(checkId(id)).toBe(id)
        expect(nameOf(id)).toBe(segments.at(-1))
        expect(categoryOf(id)).toBe(segments.slice(0, -1).join('/'))
      }),
    )
  })
})
