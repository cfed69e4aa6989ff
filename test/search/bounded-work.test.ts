// The cost of a query, counted in work instead of time: words looked up, position lists read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from '../../src/base/edit-distance.ts'
import { readQuery } from '../../src/query/read-query.ts'
import { compileQuery } from '../../src/search/match/compile-query.ts'
import { byLengthThenText, Lexicon } from '../../src/search/match/lexicon.ts'
import { matchLeaf, type TermSource } from '../../src/search/match/match-leaf.ts'
import { placeOf } from '../../src/search/match/postings/place.ts'
import type { Occurrences, Postings } from '../../src/search/match/postings/postings.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

/** How many words all patterns of a query may stand for together. */
function wordsOf(text: string, fuzzy = 0): number {
  const { query } = readQuery(text)
  const { leaves } = compileQuery(query, { match: 'auto', fuzzy, fields: new Map() })
  const patterns = new Map(leaves.flatMap(leaf => leaf.slots.map(slot => [JSON.stringify(slot), slot])))
  return [...patterns.values()].reduce((sum, slot) => sum + ('most' in slot ? slot.most : 1), 0)
}

describe('the words that a query looks for', () => {
  it('are a thousand for one pattern', () => {
    expect(wordsOf('*a*')).toBe(1000)
    expect(wordsOf('deploy', 3)).toBe(250)
  })

  it('are shared by several patterns', () => {
    expect(wordsOf('*a* AND *b*')).toBe(500)
    expect(wordsOf(LETTERS.map(letter => `${letter}*`).join(' '))).toBeLessThanOrEqual(500)
    expect(wordsOf(LETTERS.map(letter => `*${letter}*`).join(' OR '))).toBeLessThanOrEqual(500)
  })

  it('are shared by the words of a tolerant question, one for each at least', () => {
    const words = Array.from({ length: 1000 }, (_, number) => `word${number}`)
    expect(wordsOf(words.slice(0, 50).join(' '), 3)).toBeLessThanOrEqual(500)
    expect(wordsOf(words.join(' '), 3)).toBeLessThanOrEqual(1000)
  })
})

describe('a phrase', () => {
  it('reads the places of a word only where the words before it stand together', () => {
    const { source, read } = countingSource([
      ['one', 'two', 'four', 'three'],
      ['two', 'one', 'three', 'four'],
    ])
    expect([...find(source, ['one', 'two', 'three', 'four']).docs]).toEqual([])
    expect(read).toEqual(['one', 'two', 'three'])
  })

  it('reads no places at all when no document has all of its words', () => {
    const { source, read } = countingSource([['one', 'two'], ['three']])
    expect([...find(source, ['one', 'two', 'three']).docs]).toEqual([])
    expect(read).toEqual([])
  })
})

describe('the nearest words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 6 })

  it('are those that comparing with every word gives', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 60 }),
        word,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 9 }),
        (words, wanted, distance, most) => {
          const lexicon = new Lexicon()
          words.forEach((entry, term) => {
            lexicon.add(entry, term)
          })
          const all = words
            .map(entry => ({ word: entry, edits: editDistance(wanted, entry, 10) }))
            .filter(entry => entry.edits <= distance)
            .sort((a, b) => a.edits - b.edits || byLengthThenText(a, b))
          const found = lexicon.fuzzy(wanted, distance, most).map(entry => entry.word)
          expect(found).toEqual(all.slice(0, most).map(entry => entry.word))
        },
      ),
    )
  })
})

function find(source: TermSource, words: readonly string[]): Postings {
  return matchLeaf(source, { slots: words.map(word => ({ kind: 'word' as const, word })) })
}

/** A source over documents of one field, which notes whose places are read. */
function countingSource(documents: readonly (readonly string[])[]): { source: TermSource; read: string[] } {
  const words = [...new Set(documents.flat())]
  const read: string[] = []
  const holders = (term: number) =>
    documents.flatMap((text, doc) => (text.includes(words[term]!) ? [doc] : []))
  const postings = (term: number): Postings => {
    const docs = Uint32Array.from(holders(term))
    return { docs, masks: new Uint8Array(docs.length).fill(1), counts: new Uint32Array(docs.length).fill(1) }
  }
  const occurrences = (term: number): Occurrences => {
    read.push(words[term]!)
    const places = holders(term).map(doc => placeOf(0, documents[doc]!.indexOf(words[term]!)))
    return {
      starts: Uint32Array.from([0, ...places.keys()].map((_, index) => index)),
      places: Uint32Array.from(places),
    }
  }
  const termOf = (word: string) => words.indexOf(word)
  const source: TermSource = {
    capacity: documents.length,
    expand: pattern => ({ terms: 'word' in pattern ? [termOf(pattern.word)] : [], capped: false }),
    matches: pattern => postings('word' in pattern ? termOf(pattern.word) : -1),
    postings,
    occurrences,
  }
  return { source, read }
}
