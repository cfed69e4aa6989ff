import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteShellWord } from '../../src/base/shell-word.ts'

/** What a POSIX shell makes of a word that has single quotes and escaped ones alone; undefined where it would read more in it. */
function readShellWord(word: string): string | undefined {
  const pieces = word.match(/'[^']*'|\\'|[\w@%+=:,./-]+/g) ?? []
  if (pieces.join('') !== word || word === '') return undefined
  return pieces.map(piece => (piece === "\\'" ? "'" : piece.replace(/^'([^']*)'$/, '$1'))).join('')
}

describe('a word for a shell', () => {
  it.each([
    ['rye/bash@system', 'rye/bash@system'],
    ['--params', '--params'],
    ['deploy/*', "'deploy/*'"],
    ['', "''"],
    ["it's $HOME", `'it'\\''s $HOME'`],
    ['~/keys', "'~/keys'"],
  ])('of %j is %s', (text, word) => {
    expect(quoteShellWord(text)).toBe(word)
  })

  it('is read as the text that it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(readShellWord(quoteShellWord(text))).toBe(text)
      }),
    )
  })
})
