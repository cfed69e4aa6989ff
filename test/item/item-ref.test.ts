import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ItemRef, parseRef, parseSkillPath, printRef } from '../../src/item/item-ref.ts'
import { ITEM_TYPES } from '../../src/item/item-type.ts'
import { SPACES } from '../../src/item/space.ts'

const refs: fc.Arbitrary<ItemRef> = fc
  .record(
    {
      id: fc.stringMatching(/^[a-z0-9_][a-z0-9_.-]{0,8}(\/[a-z0-9_]{1,8}){0,3}$/),
      type: fc.constantFrom(...ITEM_TYPES),
      space: fc.constantFrom(...SPACES),
    },
    { requiredKeys: ['id'] },
  )
  .map(ref => ({ ...ref }))

describe('references', () => {
  it.each([
    ['rye/bash', { id: 'rye/bash' }],
    ['tool:rye/bash', { id: 'rye/bash', type: 'tool' }],
    ['tool:rye/bash@system', { id: 'rye/bash', type: 'tool', space: 'system' }],
    ['x@user', { id: 'x', space: 'user' }],
  ])('reads %s', (text, ref) => {
    expect(parseRef(text)).toEqual(ref)
  })

  it('reads back what it prints', () => {
    fc.assert(
      fc.property(refs, ref => {
        expect(parseRef(printRef(ref))).toEqual(ref)
      }),
    )
  })

  it('refuses an unknown type and names the nearest', () => {
    expect(() => parseRef('tol:rye/bash')).toThrow(
      expect.objectContaining({ code: 'INVALID_ID', hint: 'did you mean `tool`?' }),
    )
  })

  it.each(['tool:', 'tool:@system', ':x', 'a@', 'a@b@system', 'tool:tool:x', 'a@elsewhere'])(
    'refuses %s',
    text => {
      expect(() => parseRef(text)).toThrow(expect.objectContaining({ code: 'INVALID_ID' }))
    },
  )

  it('throws nothing but INVALID_ID, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        try {
          parseRef(text)
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'INVALID_ID' })
        }
      }),
    )
  })
})

describe('paths into a skill', () => {
  it.each([
    ['skill:pdf/a b.md', undefined, { segments: ['pdf', 'a b.md'] }],
    ['pdf/a.md', 'skill', { segments: ['pdf', 'a.md'] }],
    ['skill:pdf/a.md@user', undefined, { segments: ['pdf', 'a.md'], space: 'user' }],
    ['skill:pdf/logo@2x.png', undefined, { segments: ['pdf', 'logo@2x.png'] }],
    ['skill:pdf/logo@2x.png@user', undefined, { segments: ['pdf', 'logo@2x.png'], space: 'user' }],
  ])('reads %s', (text, type, path) => {
    expect(parseSkillPath(text, type)).toEqual(path)
  })

  it.each([
    ['pdf/a.md', undefined],
    ['tool:pdf/a.md', 'tool'],
    ['skill:pdf', undefined],
    ['skill:/pdf', undefined],
    ['skill:pdf/', undefined],
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
