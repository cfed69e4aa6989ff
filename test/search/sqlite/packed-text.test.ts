import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DamagedIndex } from '../../../src/search/match/postings/damaged-index.ts'
import { packText, unpackText } from '../../../src/search/sqlite/packed-text.ts'
import { readBeginning } from '../../../src/search/sqlite/write/embedded-text.ts'

const LONG = 'Sails are cut twice. 🙂 '.repeat(1000)

it('gives back every text, and keeps long ones in less space', () => {
  // A lone surrogate is no text, and no file that is read has one.
  const texts = fc.string({ unit: 'binary', maxLength: 300 }).map(text => text.repeat(30))
  fc.assert(fc.property(texts, text => unpackText(packText(text)) === text))
  expect(packText(LONG).length).toBeLessThan(LONG.length / 10)
  expect(packText('short')).toBe('short')
})

it('takes what cannot be unpacked for damage', () => {
  const packed = packText(LONG) as Uint8Array
  for (const bytes of [packed.subarray(0, 20), Uint8Array.of(255, 1, 2), new Uint8Array()])
    expect(() => unpackText(bytes)).toThrow(DamagedIndex)
})

it('begins with the same characters, packed or not', () => {
  const { body } = readBeginning({ body: packText(LONG) })
  expect([...body]).toHaveLength(1200)
  expect(LONG.startsWith(body)).toBe(true)
})
