// Queries, pages and contents designed to break the engine are answered and change nothing.
import { beforeEach, describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/query/parse-query.ts'
import { readQuery } from '../../src/query/read-query.ts'
import { compileQuery } from '../../src/search/match/compile-query.ts'
import { useMemoryLibrary } from './memory-library.ts'

const library = useMemoryLibrary()

describe('hostile input', () => {
  beforeEach(() => {
    const words = Array.from({ length: 3000 }, (_, number) => `word${number.toString(36)}`)
    library.fill(
      'project',
      ...Array.from({ length: 40 }, (_, number) => ({
        id: `item${number}`,
        fields: { content: [words.slice(number * 60).join(' ')] },
      })),
    )
  })

  it.each([
    '***a*b*c***',
    '*a*b*c*d*e*f*g*h*',
    `${'*w'.repeat(60)}*`,
    '"word1 OR word2" NEAR(word3, 5) title:word4',
    'word1 AND NOT word2 AND (word3 OR "word4 word5")',
    `'; DROP TABLE item; --`,
    'a\u0000b \ud800 \udfff \u202e',
    'word* *word *ord*',
    '猫',
    'שלום \u202e\u2066word1\u2069',
    'word1 😀👩‍👩‍👧‍👦 \u{e0041}',
    'ﷺ ½ ℡ ㎏ ① ـــ',
    `a${'\u0301'.repeat(3000)} ก${'\u0e48'.repeat(900)}`,
    `${'NOT '.repeat(15)}word1`,
    Array.from({ length: 120 }, (_, number) => `w*${number % 10}`).join(' '),
  ])('%s is answered', text => {
    expect(() => library.search(text)).not.toThrow()
    expect(library.search('*').total).toBe(40)
  })

  it.each(['word1 unknown ', 'word1 AND ', 'word1 (" ', 'readFile-word1 '])(
    'of ten megabytes is read as a question: %j',
    part => {
      const text = part.repeat(10_000_000 / part.length)
      expect(library.search('', { query: readQuery(text).query, text }).total).toBeGreaterThan(0)
    },
  )

  it('without spaces is asked for by a bounded number of pairs', () => {
    const text = Array.from({ length: 4000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('')
    const options = { match: 'auto' as const, fuzzy: 0, fields: new Map() }
    expect(compileQuery(parseQuery(text), options).leaves.length).toBeLessThan(140)
  })

  it('of wild pages and limits gives an empty page', () => {
    expect(library.search('*', { offset: 1_000_000_000, limit: 10 })).toMatchObject({ rows: [], total: 40 })
    expect(library.search('*', { limit: 0 })).toMatchObject({ rows: [], total: 40 })
    expect(library.search('*', { limit: 1_000_000_000 }).rows).toHaveLength(40)
  })

  it('as content of an item is only text', () => {
    library.fill('project', {
      id: 'evil',
      fields: { content: ['\u0000', '"; DELETE FROM item', '\ud800'], title: ['a\nb\u2028c'] },
      metadata: JSON.parse('{"__proto__": "x"}'),
    })
    expect(library.search('DELETE').rows.map(row => row.title)).toEqual(['a b\\u{2028}c'])
  })
})
