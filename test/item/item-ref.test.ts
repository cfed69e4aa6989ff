import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ItemRef, parseRef, printRef } from '../../src/item/item-ref.ts'
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
