import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenList } from '../../../src/search/text/token-list.ts'
import { readTokens } from '../../../src/search/text/tokenize.ts'
import { WordNumbers } from '../../../src/search/text/word-numbers.ts'

/** The numbers of all words of a text, and the words themselves. */
function numbered(text: string, hashOf: (hash: number) => number = hash => hash) {
  const numbers = new WordNumbers()
  const tokens = new TokenList()
  readTokens(text, tokens)
  for (let index = 0; index < tokens.size; index++) tokens.hashes[index] = hashOf(tokens.hashes[index]!)
  const found = Array.from({ length: tokens.size }, (_, index) => numbers.ofToken(tokens, index, text))
  return { found, words: numbers.words() }
}

/** The same by the plainest of means. */
function expected(text: string) {
  const words = [...new Set(text.split(' '))]
  const numbers = new Map(words.map((word, index) => [word, index]))
  return { found: text.split(' ').map(word => numbers.get(word)!), words }
}

const WORDS = fc.array(fc.string({ unit: fc.constantFrom(...'abc019'), minLength: 1, maxLength: 40 }), {
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

  it('of one hash are told apart, however many there are', () => {
    const text = 'ab ba ab abc ba a abcdefghijklmnopq ab abcdefghijklmno abcdefghijklmnopq a'
    expect(numbered(text, () => 1)).toEqual(expected(text))
    const many = Array.from({ length: 1500 }, (_, index) => `w${index}`)
    const twice = [...many, ...many].join(' ')
    expect(numbered(twice, () => 1)).toEqual(expected(twice))
  })

  it('are the same in the text and by themselves', () => {
    expect(numbered('read Read rEAD read').found).toEqual([0, 0, 0, 1, 2, 0])
    expect(numbered('ﬁle file').found).toEqual([0, 0])
  })
})
