import { describe, expect, it } from 'vitest'
import { lineAt, lineNumberAt, unifyLineEndings } from '../../src/trust/byte-line.ts'

/** A view into larger memory, and no Buffer: what callers may hold. */
function view(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(`..${text}..`, 'latin1')).subarray(2, 2 + text.length)
}

describe('a line of bytes', () => {
  it.each([
    ['ends at a line feed', 'ab\ncd\n', 0, { text: 'ab', next: 3, ending: '\n' }],
    ['ends at CRLF', 'ab\r\ncd', 0, { text: 'ab', next: 4, ending: '\r\n' }],
    ['ends with the file', 'ab\ncd', 3, { text: 'cd', next: 5, ending: '' }],
    ['may be empty', '\n\n', 1, { text: '', next: 2, ending: '\n' }],
    ['may be empty and end at CRLF', '\r\na', 0, { text: '', next: 2, ending: '\r\n' }],
    ['has no CR of the line before', 'a\r\n', 2, { text: '', next: 3, ending: '\n' }],
    ['keeps a CR inside', 'a\rb\n', 0, { text: 'a\rb', next: 4, ending: '\n' }],
    ['is empty at the end', 'a\n', 2, { text: '', next: 2, ending: '' }],
    ['is one character for each byte', '\xc3\xa4\n', 0, { text: '\xc3\xa4', next: 3, ending: '\n' }],
  ])('%s', (_, text, start, line) => {
    expect(lineAt(view(text), start)).toEqual(line)
    expect(lineAt(Buffer.from(text, 'latin1'), start)).toEqual(line)
  })

  it('is shown up to 512 bytes', () => {
    const bytes = Buffer.from(`..\n${'x'.repeat(600)}\n`)
    expect(lineAt(bytes, 3)).toEqual({ text: 'x'.repeat(512), next: 604, ending: '\n' })
  })

  it('has a number, empty lines counted', () => {
    const bytes = view('\n\na\r\nb')
    expect([0, 1, 2, 5].map(offset => lineNumberAt(bytes, offset))).toEqual([1, 2, 3, 4])
  })

  it.each([
    ['a\nb\n', 'a\nb\n'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['\r\na', '\na'],
    ['a\rb\r\n\r', 'a\rb\n\r'],
    ['a\r\r\nb', 'a\r\nb'],
  ])('ends in LF where line endings are unified: %j', (text, unified) => {
    expect(Buffer.from(unifyLineEndings(view(text))).toString('latin1')).toBe(unified)
  })
})
