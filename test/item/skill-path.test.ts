import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillPath, parseSpacedSkillPath, printSkillPath } from '../../src/item/skill-path.ts'

describe('paths into a skill', () => {
  it.each([
    ['skill:pdf/a b.md', undefined, { segments: ['pdf', 'a b.md'] }],
    ['pdf/a.md', 'skill', { segments: ['pdf', 'a.md'] }],
    ['skill:pdf/a.md@user', undefined, { segments: ['pdf', 'a.md'], space: 'user' }],
    ['skill:pdf/logo@2x.png', undefined, { segments: ['pdf', 'logo@2x.png'] }],
    ['skill:pdf/logo@2x.png@user', undefined, { segments: ['pdf', 'logo@2x.png'], space: 'user' }],
    ['skill:pdf/a/', undefined, { segments: ['pdf', 'a'], isFolder: true }],
    ['skill:pdf/@user', undefined, { segments: ['pdf'], isFolder: true, space: 'user' }],
  ])('reads %s', (text, type, path) => {
    expect(parseSkillPath(text, type)).toEqual(path)
  })

  it.each([
    ['pdf/a.md', undefined],
    ['tool:pdf/a.md', 'tool'],
    ['skill:pdf', undefined],
    ['skill:/pdf', undefined],
    ['skill:pdf//', undefined],
    ['skill:/', undefined],
    ['skill:pdf/../x', undefined],
    ['skill:./pdf/x', undefined],
  ])('leaves %s of type %s to others', (text, type) => {
    expect(parseSkillPath(text, type)).toBeUndefined()
  })

  it('never has a segment that climbs, whatever it is given', () => {
    const text = fc
      .array(fc.constantFrom('.', '..', '/', 'a', '@', 'user', ' ', '%2e', '\\', ':'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, given => {
        for (const segment of parseSkillPath(`skill:${given}`)?.segments ?? [])
          expect(['', '.', '..']).not.toContain(segment)
      }),
    )
  })
})

describe('the space of a skill', () => {
  it.each([
    ['skill:office/pdf@user/a b.md', undefined, { id: 'office/pdf', space: 'user', path: 'a b.md' }],
    ['pdf@project/x@user', 'skill', { id: 'pdf', space: 'project', path: 'x@user' }],
    ['skill:pdf@user/', undefined, { id: 'pdf', space: 'user', path: '' }],
  ])('may stand before the path: %s', (text, type, expected) => {
    expect(parseSpacedSkillPath(text, type)).toEqual(expected)
  })

  it.each(['skill:pdf/a.md', 'skill:pdf@user', 'skill:pdf@2x/a.md', 'pdf@user/a.md'])(
    'stands not in %s',
    text => {
      expect(parseSpacedSkillPath(text)).toBeUndefined()
    },
  )

  it.each([
    ['a.md', false, 'skill:pdf/a.md'],
    ['a.md', true, 'skill:pdf@user/a.md'],
    ['x@project', false, 'skill:pdf@user/x@project'],
    ['x@user/y.md', false, 'skill:pdf@user/x@user/y.md'],
    ['logo@2x', false, 'skill:pdf/logo@2x'],
    ['user', false, 'skill:pdf/user'],
  ])('is in the name of %s where it is needed', (path, isSpaceNamed, expected) => {
    expect(printSkillPath({ id: 'pdf', space: 'user', isSpaceNamed }, path)).toBe(expected)
  })
})
