// The bytes that the older system hashed (v1). Reproduced exactly, gaps included, so that its files can be
// read and written: a directive is covered only from `<directive` to `</directive>`, a knowledge entry only
// below its `---` front matter, a tool without its `#!` line. Policy decides elsewhere whether those gaps are
// acceptable. One part is left out: v1 read CRLF and CR as LF. A hash of bytes other than those that run
// proves nothing about them, so text with a CR gets a hash here that the older system never signed.

import { sha256Hex } from '../base/index.ts'
import type { SignedType } from '../item/index.ts'
import { asBuffer } from './byte-line.ts'

/** What Python's `str.strip` removes; JavaScript's `trim` differs in a few. */
const PYTHON_SPACE = new Set([
  ...'\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008',
  ...'\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
])

/**
 * The v1 hash of a file's covered bytes (everything but the signature line). Undefined when v1 does not
 * define one: not UTF-8, no `<directive>` in a directive, or a type unknown to v1.
 */
export function legacyHash(type: SignedType, covered: Uint8Array): string | undefined {
  const text = decodeStrictly(covered)
  if (text === undefined) return undefined
  const hashed = hashedText(type, text)
  return hashed === undefined ? undefined : sha256Hex(hashed)
}

function hashedText(type: SignedType, text: string): string | undefined {
  switch (type) {
    case 'directive':
      return directiveBlock(text)
    case 'knowledge':
      return belowFrontMatter(text)
    case 'tool':
    case 'config':
      return belowShebang(text)
    case 'skill':
      return undefined
  }
}

function directiveBlock(text: string): string | undefined {
  const start = text.indexOf('<directive')
  const end = text.lastIndexOf('</directive>')
  if (start === -1 || text.indexOf('>', start) === -1 || end < start) return undefined
  return text.slice(start, end + '</directive>'.length)
}

function belowFrontMatter(text: string): string {
  if (!text.startsWith('---')) return text
  const end = text.indexOf('---', 3)
  return end === -1 ? text : stripAsPython(text.slice(end + 3))
}

// v1 recognises only `#!/` as a shebang; after any other it would look for the signature on line 1.
function belowShebang(text: string): string | undefined {
  if (!text.startsWith('#!')) return text
  const end = text.indexOf('\n')
  return text[2] === '/' && end !== -1 ? text.slice(end + 1) : undefined
}

function stripAsPython(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && PYTHON_SPACE.has(text[start]!)) start++
  while (end > start && PYTHON_SPACE.has(text[end - 1]!)) end--
  return text.slice(start, end)
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(asBuffer(bytes))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
