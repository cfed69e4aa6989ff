// Decodes a run of adjacent Python string literals from its source, as CPython does: prefixes, every escape, raw
// strings. The parser's own decoding is not used: it misreads octal escapes and accepts what Python refuses.

export type DecodedString = { readonly text: string } | { readonly reason: string }

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

// Names in use in tool descriptions; the full table of Unicode would outweigh this package's code.
const NAMED: Readonly<Record<string, string>> = {
  'NO-BREAK SPACE': '\u00a0',
  'COPYRIGHT SIGN': '©',
  'REGISTERED SIGN': '®',
  'DEGREE SIGN': '°',
  'PLUS-MINUS SIGN': '±',
  'MICRO SIGN': 'µ',
  'MIDDLE DOT': '·',
  'SECTION SIGN': '§',
  'MULTIPLICATION SIGN': '×',
  'DIVISION SIGN': '÷',
  'EN DASH': '–',
  'EM DASH': '—',
  BULLET: '•',
  'HORIZONTAL ELLIPSIS': '…',
  'LEFT SINGLE QUOTATION MARK': '‘',
  'RIGHT SINGLE QUOTATION MARK': '’',
  'LEFT DOUBLE QUOTATION MARK': '“',
  'RIGHT DOUBLE QUOTATION MARK': '”',
  'EURO SIGN': '€',
  'TRADE MARK SIGN': '™',
  'LEFTWARDS ARROW': '←',
  'UPWARDS ARROW': '↑',
  'RIGHTWARDS ARROW': '→',
  'DOWNWARDS ARROW': '↓',
  'RIGHTWARDS DOUBLE ARROW': '⇒',
  INFINITY: '∞',
  'NOT EQUAL TO': '≠',
  'LESS-THAN OR EQUAL TO': '≤',
  'GREATER-THAN OR EQUAL TO': '≥',
  'CHECK MARK': '✓',
  'HEAVY CHECK MARK': '✔',
  'BALLOT X': '✗',
  'WARNING SIGN': '⚠',
  SNOWMAN: '☃',
}

/** `source` holds one or more literals with blanks, comments, line joins and parentheses between them. */
export function decodeStrings(source: string): DecodedString {
  let text = ''
  let offset = 0
  while (offset < source.length) {
    if (source[offset] === '#') {
      const end = source.indexOf('\n', offset)
      offset = end < 0 ? source.length : end
      continue
    }
    const opening = matchAt(/([A-Za-z]*)("""|'''|"|')/y, source, offset)
    if (opening === undefined) {
      offset++
      continue
    }
    const prefix = opening[1]!.toLowerCase()
    const quote = opening[2]!
    const from = offset + opening[0].length
    const end = endOfString(source, from, quote)
    const piece = source.slice(from, end)
    if (prefix.includes('b')) return { reason: 'bytes' }
    if (prefix.includes('f') || prefix.includes('t')) return { reason: 'a formatted string' }
    const decoded = prefix.includes('r') ? { text: piece } : decodeEscapes(piece)
    if ('reason' in decoded) return decoded
    text += decoded.text
    offset = end + quote.length
  }
  return { text }
}

function matchAt(pattern: RegExp, source: string, offset: number): RegExpExecArray | undefined {
  pattern.lastIndex = offset
  return pattern.exec(source) ?? undefined
}

function endOfString(source: string, from: number, quote: string): number {
  for (let offset = from; offset < source.length; offset++) {
    if (source[offset] === '\\') offset++
    else if (source.startsWith(quote, offset)) return offset
  }
  return source.length
}

function decodeEscapes(piece: string): DecodedString {
  let text = ''
  let copied = 0
  for (let at = piece.indexOf('\\'); at >= 0; at = piece.indexOf('\\', copied)) {
    text += piece.slice(copied, at)
    const mark = piece[at + 1] ?? ''
    const simple = Object.hasOwn(SIMPLE, mark) ? SIMPLE[mark] : undefined
    const octal = matchAt(/[0-7]{1,3}/y, piece, at + 1)?.[0]
    const digits = Object.hasOwn(HEX_DIGITS, mark) ? HEX_DIGITS[mark] : undefined
    if (simple !== undefined) {
      text += simple
      copied = at + 2
    } else if (octal !== undefined) {
      text += String.fromCharCode(Number.parseInt(octal, 8))
      copied = at + 1 + octal.length
    } else if (digits !== undefined) {
      const hex = piece.slice(at + 2, at + 2 + digits)
      const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Infinity
      if (code > 0x10ffff) return { reason: `a broken escape \`\\${mark}${hex}\`` }
      text += String.fromCodePoint(code)
      copied = at + 2 + digits
    } else if (mark === 'N') {
      const name = matchAt(/\{([^}]{1,100})\}/y, piece, at + 2)
      const named = (name?.[1] ?? '').toUpperCase()
      if (!Object.hasOwn(NAMED, named)) return { reason: `the character name \`\\N${name?.[0] ?? ''}\`` }
      text += NAMED[named]!
      copied = at + 2 + name![0].length
    } else {
      // An unknown escape stands for itself.
      text += `\\${mark}`
      copied = at + 1 + mark.length
    }
  }
  return { text: text + piece.slice(copied) }
}
