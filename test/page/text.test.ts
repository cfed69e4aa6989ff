import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { itemAddress, itemOf, printAddress, readAddress } from '../../page/address.ts'
import { countOf } from '../../page/text/count.ts'
import { escapeHidden, showHidden } from '../../page/text/hidden.ts'
import { highlight, splitPieces } from '../../page/text/highlight.ts'
import { shortenSignature } from '../../page/text/signature.ts'

describe('highlighting', () => {
  it.each(['py', 'sh', 'js', 'yaml', 'json', 'md'])(
    'reads text of %s that never closes what it opens, and each character once',
    language => {
      const opened = ['"', '"\\', "'\\", '`a\\', '"""a', '<a', '<!--', '/*', 'a-', '1 ']
      for (const piece of opened) {
        const text = piece.repeat(Math.floor(60_000 / piece.length))
        expect(
          highlight(text, language)
            .map(one => one.text)
            .join(''),
        ).toBe(text)
      }
    },
  )

  it('takes no part of a path, a version or a sentence of YAML for a keyword or a number', () => {
    const coloured = (text: string) =>
      highlight(text, 'yaml')
        .filter(({ kind }) => kind !== 'plain')
        .map(({ kind, text: one }) => `${kind} ${one}`)
    expect(coloured("run: python/function 3.11.7 of a day that isn't over\n")).toEqual(['name run'])
    expect(coloured('on: true\nmost: -1.5\nnot: trueish 5a\n')).toEqual([
      ...['name on', 'keyword true', 'name most', 'number -1.5', 'name not'],
    ])
  })

  it('colours without changing the text', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '#',
      '//',
      '/*',
      '*/',
      '"""',
      '\\',
      '\n',
      'def ',
      'x',
      '1',
      '<!--',
      ': ',
      '$',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('py', 'ts', 'sh', 'yaml', 'json', 'md', 'other'),
        (pieces, language) => {
          const text = pieces.join('')
          expect(
            highlight(text, language)
              .map(part => part.text)
              .join(''),
          ).toBe(text)
        },
      ),
    )
  })

  it('knows comments, strings, numbers and words of the language', () => {
    const kinds = (text: string, language: string) =>
      highlight(text, language)
        .filter(part => part.kind !== 'plain')
        .map(part => `${part.kind} ${part.text}`)
    expect(kinds('def f(): # no "string"\n  return 1 + "a#b"', 'py')).toEqual([
      'keyword def',
      'comment # no "string"',
      'keyword return',
      'number 1',
      'string "a#b"',
    ])
    expect(kinds('const a = `b` // c', 'ts')).toEqual(['keyword const', 'string `b`', 'comment // c'])
    expect(kinds('key: value # c', 'yml')).toEqual(['name key', 'comment # c'])
  })

  it('splits into lines', () => {
    const lines = splitPieces(highlight('"""a\nb"""\nc\n', 'py'))
    expect(lines.map(line => line.map(part => part.text).join(''))).toEqual(['"""a', 'b"""', 'c'])
  })
})

describe('what cannot be seen', () => {
  it.each([
    ['a\u202eb', [{ text: 'a' }, { text: '\u202e', hidden: 'U+202E' }, { text: 'b' }]],
    ['\u200bx', [{ text: '\u200b', hidden: 'U+200B' }, { text: 'x' }]],
    ['a\u{e0041}', [{ text: 'a' }, { text: '\u{e0041}', hidden: 'U+E0041' }]],
    ['👩\u200d🚀 ❤\ufe0f', [{ text: '👩\u200d🚀 ❤\ufe0f' }]],
    ['tab\tand\nline', [{ text: 'tab\tand\nline' }]],
  ])('%j', (text, expected) => {
    expect(showHidden(text)).toEqual(expected)
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const shown = showHidden(text)
        expect(shown.map(part => part.text).join('')).toBe(text)
      }),
    )
  })
})

describe('a signature line', () => {
  const line = `# rye:signed:2026-02-03T04:05:06Z:${'a'.repeat(64)}:${'B'.repeat(88)}:0123456789abcdef`

  it('is shown by its time and its signer', () => {
    expect(shortenSignature(`${line}\nx`)).toBe('# rye:signed:2026-02-03T04:05:06Z:…:0123456789abcdef\nx')
  })

  it.each([
    `${line} `,
    `${line}; rm -rf /`,
    ` ${line}`,
    line.replace('BBBB', 'B;BB'),
    line.replace('# ', ''),
  ])('is nothing else: %s', text => {
    expect(shortenSignature(text)).toBe(text)
  })
})

describe('an address', () => {
  it('leads back to the item that it was made of', () => {
    const segment = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,10}$/)
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), segments => {
        const name = { type: 'tool', space: 'project', id: segments.join('/') }
        const url = new URL(itemAddress(name, { q: 'a b&c' }), 'http://x')
        expect(url.origin).toBe('http://x')
        expect(itemOf(readAddress(url.pathname, url.search))).toEqual(name)
      }),
    )
  })

  it('keeps its parameters, and leaves out what is empty', () => {
    expect(printAddress({ page: 'search', params: { q: 'a/b?', type: '' } })).toBe('/search?q=a%2Fb%3F')
    expect(printAddress({ page: 'overview' })).toBe('/')
    expect(readAddress('/', '?a=1')).toEqual({ page: 'overview', rest: [], params: { a: '1' } })
    expect(readAddress('/item/%', '').rest).toEqual(['%'])
  })
})

it('text full of characters that cannot be seen names each within the text', () => {
  expect(escapeHidden('a\u202eb\u200bc')).toBe('a⟨U+202E⟩b⟨U+200B⟩c')
})

it('an address never leads to another host', () => {
  fc.assert(
    fc.property(fc.constantFrom('overview', '', 'item', '/'), fc.array(fc.string()), (page, rest) => {
      expect(new URL(printAddress({ page, rest }), 'http://127.0.0.1:1/').host).toBe('127.0.0.1:1')
    }),
  )
})

it('one is counted as one, and all others as many', () => {
  expect([0, 1, 2].map(count => countOf(count, 'item'))).toEqual(['0 items', '1 item', '2 items'])
  expect([1, 2].map(count => countOf(count, 'category', 'categories'))).toEqual([
    '1 category',
    '2 categories',
  ])
})
