import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findHidden } from '../../../src/base/escape-text.ts'
import { previewAround, previewSource } from '../../../src/search/answer/preview.ts'
import { visitTokens } from '../../../src/search/text/tokenize.ts'
import { tries } from '../../fixtures/tries.ts'

/** Without a bound, the square of either number takes longer than anybody waits. */
const MUCH = tries({ usual: 1_000_000, torture: 2_000_000 })
const FILLER = 'lorem ipsum dolor sit amet '.repeat(40)

describe('a preview', () => {
  it('shows the place with most of the words', () => {
    const text = `${FILLER} one deploy here. ${FILLER} deploy the web server safely. ${FILLER}`
    expect(previewAround(text, ['deploy', 'server'])).toContain('deploy the web server safely')
  })

  it('shows the place with most of the words, wherever each stands first', () => {
    const places = ['alpha', 'beta', 'gamma', 'alpha beta', 'beta gamma', 'alpha gamma beta']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...places), { minLength: 1, maxLength: 8 }), chosen => {
        const most = Math.max(...chosen.map(place => place.split(' ').length))
        const text = chosen.map(place => `${FILLER} ${place} `).join('') + FILLER
        const preview = previewAround(text, ['alpha', 'beta', 'gamma', 'absent'])
        expect(preview.match(/alpha|beta|gamma/g)).toHaveLength(most)
        // Of several such places, the first.
        const first = chosen.find(place => place.split(' ').length === most)!
        expect(preview).toContain(` ${first} `)
      }),
    )
  })

  it('makes one space of any white space', () => {
    expect(previewAround('a\tb  c \n d\n\n\te\u00a0f \u2003g', [])).toBe('a b c d e f g')
  })

  it('is the beginning when nothing matches', () => {
    expect(previewAround('First line.\nSecond line.', [])).toBe('First line. Second line.')
  })

  it('finds the parts of identifiers', () => {
    expect(previewAround(`${FILLER} call getUserName() now ${FILLER}`, ['user'])).toContain('getUserName')
  })

  it('says with dots that there is more', () => {
    const preview = previewAround(`${FILLER} needle ${FILLER}`, ['needle'])
    expect(preview.startsWith('… ')).toBe(true)
    expect(preview.endsWith(' …')).toBe(true)
  })

  it('is one line of bounded length without anything hidden, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.array(fc.string()), (text, words) => {
        const preview = previewAround(previewSource(text), words)
        expect(preview.length).toBeLessThan(260)
        expect(findHidden(preview)).toEqual([])
        expect(preview).not.toMatch(/[\n\t]/)
      }),
    )
  })

  it('never shows half of a character', () => {
    const gap = fc.constantFrom('', ' ', 'x', 'xx', `x${' '.repeat(300)}`, FILLER.trimEnd())
    fc.assert(
      fc.property(
        fc.array(fc.tuple(gap, fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('needle', '-needle'),
        (pieces, match) => {
          const text = pieces.map(([before, length]) => before + '😀'.repeat(length)).join(match)
          // Half of one would be shown as an escape.
          expect(previewAround(text, ['needle'])).toMatch(/^[^\\\ud800-\udfff]*$/u)
        },
      ),
    )
  })

  it('shows bidirectional and zero-width characters as escapes', () => {
    expect(previewAround('safe\u202e evil\u200b', [])).toBe('safe\\u{202e} evil\\u{200b}')
  })
})

describe('the place that a preview shows', () => {
  const around = (match: string, words: readonly string[]) =>
    previewAround(previewSource(`${FILLER} ${match} ${FILLER}`), words)

  it.each([
    ['a phrase across a line break', 'zebra\ncrossing', ['zebra crossing'], 'zebra crossing'],
    ['a phrase with joints', 'Yellow-Submarine', ['yellow submarine'], 'Yellow-Submarine'],
    ['a phrase with marks between', 'one, *two* (☀️ three)', ['one two three'], 'one, *two*'],
    ['a phrase in a script without spaces', '次の検索エンジン', ['検 索'], '検索エンジン'],
    ['a phrase of letters beyond the first plane', '𐐨𐐩 𐐪𐐫', ['𐐨𐐩 𐐪𐐫'], '𐐨𐐩 𐐪𐐫'],
    ['a phrase that ends in a part of an identifier', 'open getUserName', ['open user'], 'open getUserName'],
    ['a decomposed word', 'cafe\u0301', ['café'], 'café'],
    ['a word in capitals beside a letter that grows', 'İİİ Ankara', ['ankara'], 'Ankara'],
    ['the letter that grows', 'İstanbul', ['i\u0307stanbul'], 'İstanbul'],
    ['a word without its accents', 'Crème Brûlée', ['creme', 'brulee'], 'Crème Brûlée'],
    ['a pair of characters', '次の検索エンジン', ['検索'], '検索エンジン'],
    ['a last sigma', "ΟΔΟΣ'Α", ['οδος'], "ΟΔΟΣ'Α"],
    ['a character that composes to another', '\uf900 here', ['\uf900'], '\u8c48 here'],
    ['a word behind another that it begins', `${'subway '.repeat(50)} sub`, ['sub'], ' sub '],
    ['a word behind what must be escaped', `${'\u200b'.repeat(70)}needle`, ['needle'], 'needle'],
  ])('is that of %s', (_, match, words, shown) => {
    expect(around(match, words)).toContain(shown)
    expect(previewAround(previewSource(match), words)).toContain(shown.trim())
  })

  it('is that of the match, wherever it stands', () => {
    const word = fc.constantFrom(
      'needle',
      'Nadel',
      'иголка',
      '針',
      'aiguillée',
      'İĞNE',
      'βελόνΑΣ',
      'getNeedle',
    )
    const gap = fc.constantFrom(' ', '\n', '-', ', ', ' — ', '\n\n> ', '\u00a0')
    const lead = fc.oneof(
      fc.nat({ max: 3000 }).map(length => FILLER.slice(0, length)),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        'İ'.repeat(500),
        'e\u0301'.repeat(400),
        '😀'.repeat(300),
        '\u{e0110}'.repeat(90),
        'Σ'.repeat(200),
      ),
    )
    fc.assert(
      fc.property(
        lead,
        fc.array(word, { minLength: 1, maxLength: 4 }),
        gap,
        lead,
        (before, words, between, after) => {
          const match = words.join(between)
          const source = previewSource(`${before}. ${match} .${after}`)
          const tokens: string[] = []
          visitTokens(match, (token, _position, kind) => kind === 'word' && tokens.push(token))
          const shown = match.normalize('NFC').replace(/\s+/g, ' ')
          expect(previewAround(source, [tokens.join(' ')])).toContain(shown)
        },
      ),
    )
  })

  it('is found in a text of any length that is indexed', () => {
    const long = 'lorem ipsum dolor sit amet '.repeat(140_000)
    expect(previewAround(previewSource(`${long} xylophone ${long}`), ['xylophone'])).toContain('xylophone')
  })

  it.each([
    ['parts of one word', 'aA'.repeat(MUCH / 2), ['a']],
    ['a phrase that never ends', 'a '.repeat(MUCH / 2), ['a a a a a a a a a a a a a a a a b']],
    ['a phrase with wide gaps', `a${' '.repeat(MUCH / 8)}`.repeat(8), ['a a b', 'a b']],
    ['a letter that grows', 'İ'.repeat(MUCH), ['i\u0307', 'x']],
  ])('is found in bounded time: %s', (_, text, words) => {
    const source = previewSource(text)
    expect(previewAround(source, words).length).toBeLessThan(260)
  })
})

describe('the text that previews are cut from', () => {
  it('has no signature lines', () => {
    const body = [
      '#!/usr/bin/env python3',
      '# rye:signed:2026-01-01T00:00:00Z:abc:def:0123456789abcdef',
      'def run(): pass',
    ].join('\n')
    expect(previewSource(body)).toBe('#!/usr/bin/env python3\ndef run(): pass')
  })

  it('leaves other lines as they are', () => {
    const text = 'a\n__version__ = "1.0.0" is how a tool says it\n\nb'
    expect(previewSource(text)).toBe(text)
  })
})
