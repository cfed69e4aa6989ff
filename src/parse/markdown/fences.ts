// Fenced code blocks as CommonMark finds them at the top level of a document: backticks or tildes, three or more,
// indented by at most three spaces, closed by a line of at least as many of the same and nothing else.
// An example inside a longer fence, in an HTML comment or in indented code is text. One pass, linear.

export interface Fence {
  /** First word after the opening marks, lower case: `xml`. */
  readonly language: string
  /** Where the opening line begins. */
  readonly start: number
  readonly contentStart: number
  readonly contentEnd: number
  /** After the closing line, or the end of the text. */
  readonly end: number
  readonly isClosed: boolean
  /** Spaces before the opening marks. Up to this many are removed from each content line. */
  readonly indent: number
}

/** The search for metadata stops after this many fences, since a file may have a million. */
export const MAX_METADATA_FENCES = 1_000

/** The beginning of a line that may open a fence or an HTML block. Nearly every line is prose, and is skipped. */
const OPENER = /^ {0,3}[`~<]/gm

/** The fences of a text, from `offset`, in order; at most `limit`. */
export function* findFences(text: string, offset = 0, limit = Number.POSITIVE_INFINITY): Generator<Fence> {
  let lineStart = offset
  let count = 0
  while (lineStart < text.length) {
    OPENER.lastIndex = lineStart
    const found = OPENER.exec(text)
    if (found === null) return
    lineStart = found.index
    // Here `^` also matches after other line ends, such as U+2028, which do not end a line in Markdown.
    if (lineStart > 0 && text[lineStart - 1] !== '\n') {
      lineStart++
      continue
    }
    const lineEnd = endOfLine(text, lineStart)
    const line = text.slice(lineStart, lineEnd)
    const opening = readOpening(line)
    if (opening !== undefined) {
      const fence = readFence(text, opening, { start: lineStart, end: lineEnd })
      yield fence
      if (++count >= limit) return
      lineStart = fence.end
      continue
    }
    const closer = htmlCloser(line)
    lineStart = closer === undefined ? lineEnd + 1 : endOfHtml(text, lineStart, closer)
  }
}

/** The first character of a line that is not a space. Checking it alone rules out most lines of a fence. */
function firstMark(text: string, lineStart: number): string {
  let offset = lineStart
  while (text.charCodeAt(offset) === 0x20) offset++
  return text.charAt(offset)
}

/** The content without the indentation of the fence. */
export function contentOf(text: string, fence: Fence): string {
  const raw = text.slice(fence.contentStart, fence.contentEnd)
  if (fence.indent === 0) return raw
  return raw
    .split('\n')
    .map(line => line.slice(removedIndent(line, fence.indent)))
    .join('\n')
}

/** Converts an offset in the result of `contentOf` to an offset in the text. */
export function toFileOffset(text: string, fence: Fence, offset: number): number {
  if (fence.indent === 0) return fence.contentStart + offset
  let fileOffset = fence.contentStart
  let remaining = offset
  for (const line of text.slice(fence.contentStart, fence.contentEnd).split('\n')) {
    const removed = removedIndent(line, fence.indent)
    const kept = line.length - removed
    if (remaining <= kept) return fileOffset + removed + remaining
    remaining -= kept + 1
    fileOffset += line.length + 1
  }
  return fence.contentEnd
}

interface Opening {
  readonly mark: string
  readonly count: number
  readonly indent: number
  readonly language: string
}

function readOpening(line: string): Opening | undefined {
  const indent = countLeading(line, ' ', 0)
  const mark = line[indent]
  if (indent > 3 || (mark !== '`' && mark !== '~')) return undefined
  const count = countLeading(line, mark, indent)
  const info = line.slice(indent + count)
  if (count < 3 || (mark === '`' && info.includes('`'))) return undefined
  return { mark, count, indent, language: info.trim().split(/[ \t]/, 1)[0]!.toLowerCase() }
}

function readFence(text: string, opening: Opening, line: { start: number; end: number }): Fence {
  const { language, indent } = opening
  const { start } = line
  const contentStart = Math.min(line.end + 1, text.length)
  let lineStart = contentStart
  while (lineStart < text.length) {
    const lineEnd = endOfLine(text, lineStart)
    if (firstMark(text, lineStart) === opening.mark && isClosing(text.slice(lineStart, lineEnd), opening)) {
      const end = Math.min(lineEnd + 1, text.length)
      return { language, indent, start, contentStart, contentEnd: lineStart, end, isClosed: true }
    }
    lineStart = lineEnd + 1
  }
  return { language, indent, start, contentStart, contentEnd: text.length, end: text.length, isClosed: false }
}

function isClosing(line: string, { mark, count }: Opening): boolean {
  const indent = countLeading(line, ' ', 0)
  if (indent > 3 || line[indent] !== mark) return false
  const marks = countLeading(line, mark, indent)
  return marks >= count && line.slice(indent + marks).trim() === ''
}

const HTML_BLOCKS: readonly { readonly opener: string; readonly closer: string }[] = [
  { opener: '<!--', closer: '-->' },
  { opener: '<?', closer: '?>' },
  { opener: '<![CDATA[', closer: ']]>' },
  ...['pre', 'script', 'style', 'textarea'].map(name => ({ opener: `<${name}`, closer: `</${name}>` })),
]

/** What ends the HTML block that begins here. Only blocks that may contain blank lines can hide a fence. */
function htmlCloser(line: string): string | undefined {
  const indent = countLeading(line, ' ', 0)
  if (indent > 3 || line[indent] !== '<') return undefined
  const rest = line.slice(indent).toLowerCase()
  const block = HTML_BLOCKS.find(
    ({ opener }) =>
      rest.startsWith(opener.toLowerCase()) &&
      (!/[a-z]$/.test(opener) || /^[ \t>]?$/.test(rest.charAt(opener.length))),
  )
  return block?.closer
}

/** Where the line after the closer begins. The closer may be on the opening line. */
function endOfHtml(text: string, start: number, closer: string): number {
  let lineStart = start
  while (lineStart < text.length) {
    const lineEnd = endOfLine(text, lineStart)
    if (text.slice(lineStart, lineEnd).toLowerCase().includes(closer)) return lineEnd + 1
    lineStart = lineEnd + 1
  }
  return text.length
}

function removedIndent(line: string, indent: number): number {
  return Math.min(countLeading(line, ' ', 0), indent)
}

function countLeading(line: string, character: string, from: number): number {
  let end = from
  while (line[end] === character) end++
  return end - from
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
