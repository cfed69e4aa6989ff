import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
// The bench's reference was written independently of this stemmer, so that both do not share a mistake.
// @ts-expect-error a plain script without types
import { stem as referenceStem } from '../../../bench/reference-bm25.mjs'
import { stem } from '../../../src/search/text/porter.ts'

describe('a stem', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['electriciti', 'electr'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['controlling', 'control'],
    ['rate', 'rate'],
    ['cease', 'ceas'],
  ])('of %s is %s', (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  it('is the word itself when it is short or not plain ASCII letters', () => {
    for (const word of ['is', 'v2s', 'файлы', 'été', '']) expect(stem(word)).toBe(word)
  })

  it('is that of the reference, for words made of its suffixes and for any word', () => {
    const suffix = fc.constantFrom(
      's',
      'es',
      'ed',
      'ing',
      'ation',
      'izer',
      'ement',
      'y',
      'al',
      'ful',
      'ness',
      'iviti',
      'll',
      'e',
    )
    const letters = fc.string({ unit: fc.constantFrom(...'abcdeiostyz'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(letters, fc.array(suffix, { maxLength: 3 }), (root, ends) => {
        const word = root + ends.join('')
        expect(stem(word)).toBe(referenceStem(word))
      }),
      { numRuns: 2000 },
    )
  })
})
