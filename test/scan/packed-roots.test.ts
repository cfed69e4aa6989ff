import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packRoots, unpackRoots } from '../../src/scan/packed-roots.ts'

const folder = fc.record({
  path: fc.string(),
  records: fc.uint8Array().map(bytes => Buffer.from(bytes)),
})
const skipped = fc.record({
  path: fc.string(),
  reason: fc.constant('too-many' as const),
  message: fc.string(),
})
const about = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())), {
  noNullPrototype: true,
})

describe('packed roots', () => {
  it('are unpacked as they were, with what was kept beside them', () => {
    fc.assert(
      fc.property(fc.array(folder), fc.array(skipped), about, (folders, left, beside) => {
        const found = { folders, skipped: left }
        const kept = { ...beside, folders: 'of the keeper' }
        expect(unpackRoots(packRoots(found, kept))).toEqual({ found, about: kept })
      }),
    )
  })

  it('that were cut or lengthened are none', () => {
    const packed = packRoots({ folders: [{ path: '/a', records: Buffer.from('0 d\0') }], skipped: [] }, {})
    expect(unpackRoots(packed)).toBeDefined()
    for (let size = 0; size < packed.length; size++)
      expect(unpackRoots(packed.subarray(0, size))).toBeUndefined()
    expect(unpackRoots(Buffer.concat([packed, Buffer.from('x')]))).toBeUndefined()
  })

  it.each([
    '\n',
    '[]\n',
    '{"about":{},"folders":[{}],"skipped":[]}\n',
    '{"about":1,"folders":[],"skipped":[]}\n',
  ])('are not read of %j', text => expect(unpackRoots(Buffer.from(text))).toBeUndefined())
})
