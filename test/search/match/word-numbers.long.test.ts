import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordNumbers } from '../../../src/search/match/word-numbers.ts'
import { type PlainToken, TokenScanner } from '../../../src/search/text/tokenize.ts'

/** The numbers of all words of a text, and the words themselves. */
function numbered(text: string, change: (word: PlainToken) => PlainToken = word => word) {
  const numbers = new WordNumbers()
  const found: number[] = []
  new TokenScanner({
    plain: word => found.push(numbers.ofPlain(change(word))),
    token: word => found.push(numbers.of(word)),
  }).scan(text)
  return { found, words: Array.from({ length: numbers.count }, (_, number) => numbers.wordAt(number)) }
}

/** The same, done in the simplest way. */
function expected(text: string) {
  const words = [...new Set(text.split(' '))]
  const numbers = new Map(words.map((word, index) => [word, index]))
  return { found: text.split(' ').map(word => numbers.get(word)!), words }
}

const WORDS = fc.array(fc.string({ unit: fc.constantFrom(...'abc019'), minLength: 1, maxLength: 18 }), {
  minLength: 1,
})

describe('words', () => {
  it('are numbered as they first come, whatever their length', () => {
    fc.assert(
      fc.property(WORDS, words => {
        const text = [...words, ...words].join(' ')
        expect(numbered(text)).toEqual(expected(text))
      }),
    )
  })

  it('keep their numbers when there are more of them than are kept at hand', () => {
    const words = Array.from({ length: 150_000 }, (_, index) => `w${(index * 7919) % 150_000}`)
    const text = [...words, ...words.toReversed()].join(' ')
    expect(numbered(text)).toEqual(expected(text))
  })

  it('of one hash are told apart', () => {
    const text = 'ab ba ab abc ba a abcdefghijklmnopq ab abcdefghijklmno abcdefghijklmnopq a'
    expect(numbered(text, word => ({ ...word, hash: 1 }))).toEqual(expected(text))
  })

  it('are the same in the text and by themselves', () => {
    expect(numbered('read Read rEAD read').found).toEqual([0, 0, 0, 1, 2, 0])
  })
})
