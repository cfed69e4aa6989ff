import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findHidden } from '../../src/base/escape-text.ts'
import { cutText, firstLineOf, quoteText, shortenText } from '../../src/base/quote-text.ts'

describe('a value in a message', () => {
  it.each([
    ['plain', '`plain`'],
    ['', '``'],
    ['two\nlines', '`two\\u{a}lines`'],
    ['\u202egnp', '`\\u{202e}gnp`'],
    [7, '`7`'],
    [null, '`null`'],
    [undefined, '`undefined`'],
    [{ a: ['b'] }, '`{"a":["b"]}`'],
  ])('%j is shown as %s', (value, shown) => {
    expect(quoteText(value)).toBe(shown)
  })

  it('has 80 characters at most, or as many as the caller gives it', () => {
    expect(quoteText('x'.repeat(80))).toBe(`\`${'x'.repeat(80)}\``)
    expect(quoteText('x'.repeat(81))).toBe(`\`${'x'.repeat(80)}...\``)
    expect(quoteText('abc', 2)).toBe('`ab...`')
    expect(shortenText('x'.repeat(81))).toBe(`${'x'.repeat(80)}...`)
    expect(shortenText('a\nb', 2)).toBe('a\\u{a}...')
  })

  it('is never cut in the middle of a character', () => {
    expect(cutText('a🦊b', 2)).toBe('a...')
    expect(cutText('a🦊b', 3)).toBe('a🦊...')
    expect(cutText('a🦊', 3)).toBe('a🦊')
  })

  it('keeps what fits, and says so when it does not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        const cut = cutText(text, most)
        if (text.length <= most) expect(cut).toBe(text)
        else expect(cut.endsWith('...') && text.startsWith(cut.slice(0, -3))).toBe(true)
        expect(/\p{Cs}/u.test(cut)).toBe(false)
        expect(cut.length).toBeLessThanOrEqual(most + 3)
      }),
    )
  })

  it('hides nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(findHidden(quoteText(text, 20))).toEqual([])
      }),
    )
  })
})

describe('the first line of what was thrown', () => {
  it.each([
    [new Error('no such file\n  at line 1'), 'no such file'],
    [new Error('one line \r\nanother'), 'one line'],
    ['a text\nmore', 'a text'],
    [undefined, 'undefined'],
    [new Error(''), ''],
  ])('of %s is %j', (thrown, line) => {
    expect(firstLineOf(thrown)).toBe(line)
  })
})
