// The layout of Python source before any parser sees it: lines, strings, brackets and indentation, in one
// linear scan. It protects the recursive parser from deep nesting, and finds where statements begin in a file
// that the parser refuses.

const TAB = 9
const NEWLINE = 10
const SPACE = 32
const DOUBLE_QUOTE = 34
const HASH = 35
const SINGLE_QUOTE = 39
const BACKSLASH = 92

/** By character code: 1 opens, -1 closes. */
const BRACKETS = new Int8Array(128)
for (const character of '([{') BRACKETS[character.charCodeAt(0)] = 1
for (const character of ')]}') BRACKETS[character.charCodeAt(0)] = -1

export interface Line {
  readonly start: number
  /** Begins inside a triple-quoted string, or continues the previous line after a backslash. */
  readonly continued: boolean
  /** Width of the leading blanks, with tab stops every eight columns; -1 on a line without code. */
  readonly indent: number
  /** Brackets opened minus brackets closed. */
  readonly balance: number
  /** The deepest level of brackets on this line, counted from its beginning. */
  readonly peak: number
}

/** Makes line ends LF, removes a byte order mark and the form feeds Python ignores. Keeps line numbers. */
export function normalizePython(text: string): string {
  const plain = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).replace(/\r\n?/g, '\n')
  if (!plain.includes('\f')) return plain
  let clean = ''
  let copied = 0
  const blankOut = (offset: number) => {
    if (plain[offset] !== '\f') return
    const lineStart = plain.lastIndexOf('\n', offset) + 1
    const leading = plain.slice(lineStart, offset).trim() === ''
    // Leading blanks before a form feed do not count as indentation.
    clean += leading ? plain.slice(copied, Math.max(copied, lineStart)) : `${plain.slice(copied, offset)} `
    copied = offset + 1
  }
  for (let offset = 0; offset < plain.length; offset++) {
    const code = plain.charCodeAt(offset)
    if (code === HASH) offset = endOfComment(plain, offset) - 1
    else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) offset = endOfString(plain, offset, () => {}) - 1
    else blankOut(offset)
  }
  return clean + plain.slice(copied)
}

export function readLayout(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  let continued = false
  let depth = 0
  let peak = 0
  let firstCode = -1
  let lastCode = -1
  const endLine = (next: number, inString: boolean) => {
    const indent = firstCode < 0 ? -1 : indentWidth(text, start, firstCode)
    lines.push({ start, continued, indent, balance: depth, peak })
    continued = inString || (lastCode >= 0 && text[lastCode] === '\\' && lastCode === next - 2)
    start = next
    depth = 0
    peak = 0
    firstCode = -1
    lastCode = -1
  }
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === SPACE || code === TAB) continue
    if (code === NEWLINE) {
      endLine(offset + 1, false)
      continue
    }
    if (code === HASH) {
      offset = endOfComment(text, offset) - 1
      continue
    }
    if (firstCode < 0) firstCode = offset
    lastCode = offset
    depth += code < 128 ? BRACKETS[code]! : 0
    if (depth > peak) peak = depth
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) offset = endOfString(text, offset, endLine) - 1
  }
  if (start < text.length) endLine(text.length + 1, false)
  return lines
}

function endOfComment(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/**
 * Where the string that begins at `start` ends. Without triple quotes it ends with its line, unless a
 * backslash continues that. Calls `endLine` for each line that ends inside the string.
 */
function endOfString(
  text: string,
  start: number,
  endLine: (next: number, inString: boolean) => void,
): number {
  const quote = text.charCodeAt(start)
  const isTripled = (at: number) => text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote
  const triple = isTripled(start)
  let offset = start + (triple ? 3 : 1)
  for (; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === BACKSLASH) {
      offset++
      if (text.charCodeAt(offset) === NEWLINE) endLine(offset + 1, true)
    } else if (code === NEWLINE) {
      if (!triple) return offset
      endLine(offset + 1, true)
    } else if (code === quote && (!triple || isTripled(offset))) return offset + (triple ? 3 : 1)
  }
  return offset
}

function indentWidth(text: string, from: number, to: number): number {
  let width = 0
  for (let i = from; i < to; i++) width = text[i] === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1
  return width
}
