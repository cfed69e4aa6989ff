import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldWord } from '../../../src/search/text/fold.ts'
import { nameKey } from '../../../src/search/text/name-key.ts'
import { type TokenKind, visitTokens } from '../../../src/search/text/tokenize.ts'

function tokens(text: string): string[] {
  const found: string[] = []
  const marks: Record<TokenKind, string> = { word: '', part: '~', compound: '=', pair: '+' }
  visitTokens(text, (token, position, kind) => found.push(`${position}${marks[kind]} ${token}`))
  return found
}

function wordsOf(text: string): string[] {
  const words: string[] = []
  visitTokens(text, (token, _position, kind) => kind === 'word' && words.push(token))
  return words
}

describe('words', () => {
  it('are runs of letters and digits, in lower case, one position each', () => {
    expect(tokens('Read the FILE, twice: 2x!')).toEqual(['0 read', '1 the', '2 file', '3 twice', '4 2x'])
  })

  it('joined by an underscore, a hyphen or a dot are also found as written', () => {
    expect(tokens('thread_directive.py')).toEqual([
      '0 thread',
      '1 directive',
      '0= thread_directive',
      '2 py',
      '0= thread_directive.py',
    ])
    expect(tokens('file-system')).toEqual(['0 file', '1 system', '0= file-system'])
  })

  it('of a path are words like any other', () => {
    expect(tokens('rye/file-system')).toEqual(['0 rye', '1 file', '2 system', '1= file-system'])
  })

  it('in camelCase keep one position, and their parts stand there too', () => {
    expect(tokens('getUserName now')).toEqual(['0 getusername', '0~ get', '0~ user', '0~ name', '1 now'])
    expect(tokens('XMLParser')).toEqual(['0 xmlparser', '0~ xml', '0~ parser'])
  })

  it('that are plurals of acronyms stay whole', () => {
    expect(tokens('APIs and URLs')).toEqual(['0 apis', '1 and', '2 urls'])
  })

  it('of scripts without spaces are single characters, and pairs of them', () => {
    expect(tokens('数据库 abc')).toEqual(['0 数', '0+ 数据', '1 据', '1+ 据库', '2 库', '3 abc'])
    expect(tokens('第2章Rye入門')).toEqual(['0 第', '1 2', '2 章', '3 rye', '4 入', '4+ 入門', '5 門'])
    expect(tokens('サーバ')).toEqual(['0 サ', '0+ サー', '1 ー', '1+ ーバ', '2 バ'])
    expect(tokens('배포를')).toEqual(['0 배', '0+ 배포', '1 포', '1+ 포를', '2 를'])
  })

  it('of scripts without spaces keep their marks', () => {
    expect(tokens('ไฟล์')).toEqual(['0 ไ', '0+ ไฟ', '1 ฟ', '1+ ฟล์', '2 ล์'])
    expect(wordsOf('ສະບາຍດີ ភាសា မြန်မာ')).toEqual('ສ ະ ບ າ ຍ ດີ ភា សា မြ န် မာ'.split(' '))
  })

  it.each([
    ['ÜNÏ E\u0301te\u0301', 'uni ete'],
    ['Straße ÆON smørrebrød Łódź İstanbul ılık', 'strasse aeon smorrebrod lodz istanbul ilik'],
    ['Ελλάδα ΟΔΟΣ', 'ελλαδα οδοσ'],
    ['Ёлка йога Україна', 'елка йога україна'],
    ['ＡＰＩ ｶﾞｽ ﬁle', 'api ガ ス file'],
    ['مُحَمَّد أحمد', 'محمد احمد'],
    ['שָׁלוֹם', 'שלום'],
    ['हिन्दी', 'हिन्दी'],
  ])('fold case, accents and width: %s', (text, expected) => {
    expect(wordsOf(text).join(' ')).toBe(expected)
  })

  it('are cut when nobody would type them', () => {
    expect(wordsOf('x'.repeat(500))).toEqual(['x'.repeat(64)])
    expect(wordsOf(`${'x'.repeat(63)}yz ${'é'.repeat(65)}`)).toEqual([`${'x'.repeat(63)}y`, 'e'.repeat(64)])
  })

  it.each(['_', '-', '.'])(
    'joined by `%s` are found as written when that takes 64 characters, and not one more',
    joint => {
      const [left, right] = ['a'.repeat(31), 'b'.repeat(32)]
      const compounds = (text: string) => tokens(text).filter(token => token.includes('='))
      expect(compounds(`${left}${joint}${right}`)).toEqual([`0= ${left}${joint}${right}`])
      expect(compounds(`${left}a${joint}${right}`)).toEqual([])
    },
  )

  it('are not made of lone surrogates, emoji or invisible characters', () => {
    expect(tokens('\ud800 \u{1f600} \u200b\ufe0f a\u0000b')).toEqual(['0 a', '1 b'])
  })
})

describe('any text', () => {
  it('gives tokens that are not empty, hold no line break, and whose words stand in order without gaps', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        let next = 0
        const end = visitTokens(text, (token, position, kind) => {
          expect(token).not.toBe('')
          expect(token).not.toMatch(/[\n\s]/)
          if (kind === 'word') expect(position).toBe(next++)
        })
        expect(end).toBe(next)
      }),
    )
  })

  it('has the same words in lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), text => {
        expect(wordsOf(text.toLowerCase())).toEqual(wordsOf(text))
      }),
    )
  })

  it('is read in time that grows with its length', () => {
    expect(visitTokens('aB_'.repeat(200_000), () => {})).toBe(200_000)
    expect(visitTokens('-._'.repeat(300_000), () => {})).toBe(0)
  })
})

describe('the key of a name', () => {
  it('is the same however the name is spelt', () => {
    for (const name of ['readFile', 'read_file', 'read-file', 'Read File', 'READ.FILE']) {
      expect(nameKey(name)).toBe('read file')
    }
    expect(nameKey('XMLParserTools2')).toBe('xml parser tools2')
    expect(nameKey('---')).toBe('')
  })
})

describe('a pattern', () => {
  it('is folded as words are', () => {
    expect(foldWord('E\u0301*')).toBe('e*')
  })
})

describe('camelCase', () => {
  it('is split alike in ASCII and in any other script', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '1'), minLength: 1, maxLength: 8 }),
        word => {
          const parts = (text: string) => {
            const found: string[] = []
            visitTokens(text, (token, _position, kind) => kind === 'part' && found.push(token))
            return found
          }
          const greek = (text: string) =>
            text.replace(/[abAB]/g, letter => ({ a: 'α', b: 'β', A: 'Α', B: 'Β' })[letter]!)
          expect(parts(word).map(greek)).toEqual(parts(greek(word)))
        },
      ),
    )
  })
})
