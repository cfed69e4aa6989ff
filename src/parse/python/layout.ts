// The shape of Python source before any parser sees it: lines, strings, brackets, indentation, in one linear scan.
// It guards the recursive parser (nesting) and finds where statements begin in a file which that parser refuses.

export interface Line {
  readonly start: number
  /** Begins inside a triple-quoted string, or continues the line before by a backslash. */
  readonly continued: boolean
  /** Width of the leading blanks, tabs to multiples of eight; -1 on a line without code. */
  readonly indent: number
  /** Brackets opened less brackets closed. */
  readonly balance: number
  /** The deepest the brackets stand on this line, counted from its beginning. */
  readonly peak: number
}

/** Line ends become LF; a byte order mark, and the form feeds that Python ignores, go. Lines keep their numbers. */
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
  scanCode(plain, blankOut)
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
  scanCode(
    text,
    offset => {
      const character = text[offset]!
      if (character === '\n') return endLine(offset + 1, false)
      if (character === ' ' || character === '\t') return
      if (firstCode < 0) firstCode = offset
      lastCode = offset
      if (character === '(' || character === '[' || character === '{') peak = Math.max(peak, ++depth)
      else if (character === ')' || character === ']' || character === '}') depth--
    },
    offset => endLine(offset + 1, true),
  )
  if (start < text.length) endLine(text.length + 1, false)
  return lines
}

/** Calls `onCode` for each character outside strings and comments (a quote that opens a string among them). */
function scanCode(
  text: string,
  onCode: (offset: number) => void,
  onStringNewline?: (offset: number) => void,
) {
  let offset = 0
  while (offset < text.length) {
    const character = text[offset]!
    if (character === '#') {
      const end = text.indexOf('\n', offset)
      offset = end < 0 ? text.length : end
      continue
    }
    onCode(offset)
    if (character !== '"' && character !== "'") {
      offset++
      continue
    }
    const triple = text.startsWith(character.repeat(3), offset)
    offset += triple ? 3 : 1
    while (offset < text.length) {
      const inside = text[offset]!
      if (inside === '\\') {
        if (text[offset + 1] === '\n') onStringNewline?.(offset + 1)
        offset += 2
      } else if (inside === '\n') {
        if (!triple) break
        onStringNewline?.(offset)
        offset++
      } else if (inside === character && (!triple || text.startsWith(character.repeat(3), offset))) {
        offset += triple ? 3 : 1
        break
      } else offset++
    }
  }
}

function indentWidth(text: string, from: number, to: number): number {
  let width = 0
  for (let i = from; i < to; i++) width = text[i] === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1
  return width
}
