import { expect, it } from 'vitest'
import { findHiddenText } from '../../src/trust/hidden-text.ts'

const found = (text: string) =>
  findHiddenText(Buffer.from(text)).map(({ message, line, column }) => [message, line, column])

it.each([
  ['at the beginning of a file', '\u2714\ufe0f'],
  ['of two halves', '\u{1f469}\u200d\u{1f4bb}'],
  ['with a tone of skin', '\u{1f44d}\u{1f3fd}\ufe0f'],
  ['that is drawn as text', '\u2714\ufe0e'],
  ['of a digit', '1\ufe0f'],
])('an emoji %s hides nothing', (_, text) => {
  expect(found(text)).toEqual([])
})

it('a byte order mark hides nothing where a file begins, and only there', () => {
  expect(found('\ufeffa')).toEqual([])
  expect(found('\ufeff\ufeffa')).toEqual([['invisible character U+FEFF', 1, 2]])
  expect(found('a\n\ufeffb')).toEqual([['invisible character U+FEFF', 2, 1]])
})

it.each([
  ['at the beginning', '\u200da', [['invisible character U+200D', 1, 1]]],
  ['behind a letter', 'a\ufe0f', [['invisible character U+FE0F', 1, 2]]],
  ['of another kind behind an emoji', '\u2714\u200b', [['invisible character U+200B', 1, 2]]],
  ['beyond the first plane', 'a\u{e0041}', [['invisible character U+E0041', 1, 2]]],
  ['that turns the text around', 'a\n\u2067b', [['bidirectional character U+2067', 2, 1]]],
])('a character %s is told', (_, text, expected) => {
  expect(found(text)).toEqual(expected)
})

it('fifty are told one by one, the others together', () => {
  expect(found('\u200b'.repeat(50))).toHaveLength(50)
  const more = found('\u200b'.repeat(51))
  expect(more).toHaveLength(51)
  expect(more.at(-1)).toEqual(['1 more invisible characters from here on', 1, 51])
})
