// Classifies the lines of possible front matter by what they look like. Lines inside a value in quotes or
// brackets belong to that value, whatever they look like. One pass, linear.

export interface MatterLine {
  readonly start: number
  readonly content: string
  /**
   * `key`: `key: value` as fields are written. `pair`: any other text with a colon. `item`: a list element.
   * `inside`: indented, or part of the value above. `text`: cannot be YAML at the margin.
   */
  readonly kind: 'blank' | 'inside' | 'comment' | 'item' | 'key' | 'pair' | 'text'
}

interface Range {
  readonly from: number
  readonly to: number
  /** The end of the front matter is unknown, so no value continues past a blank line. Default: false. */
  readonly isOpenEnded?: boolean
}

const KEY = /^["']?[\w.-]{1,100}["']?[ \t]*:(?:[ \t]|$)/
const VALUE = /^[^:]*:[ \t]+(?=["'[{])/
/** The conflict markers that git leaves in a file. */
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/
/** Before the first key: a tag, an anchor or a directive. Anywhere: a key of several lines (`? `). */
const PROPERTY = /^(?:[!&%]|\? )/

export function* matterLines(text: string, range: Range): Generator<MatterLine> {
  const endOfValue = createValueReader(text, range)
  let isKeySeen = false
  let valueEnd = range.from
  let next = range.from
  for (let start = next; start < range.to; start = next) {
    const found = text.indexOf('\n', start)
    const end = found === -1 || found >= range.to ? range.to : found
    next = end + 1
    const content = text.slice(start, end).trimEnd()
    const kind = start < valueEnd ? 'inside' : kindOf(content, isKeySeen)
    if (kind === 'key' || kind === 'pair') isKeySeen = true
    const value = start < valueEnd || kind === 'comment' ? undefined : VALUE.exec(content)
    if (value) valueEnd = endOfValue(start + value[0].length)
    yield { start, content, kind }
  }
}

function kindOf(content: string, isKeySeen: boolean): MatterLine['kind'] {
  if (content === '') return 'blank'
  if (/^[ \t]/.test(content) || CONFLICT.test(content)) return 'inside'
  if (content.startsWith('#')) return 'comment'
  if (/^-(?: |$)/.test(content)) return 'item'
  if (KEY.test(content)) return 'key'
  if (/:(?:[ \t]|$)/.test(content)) return 'pair'
  return PROPERTY.test(content) && !(isKeySeen && content[0] !== '?') ? 'inside' : 'text'
}

/**
 * The result gives the end of the value that opens at an offset, or the offset itself when the value doesn't
 * end or more text follows it on its last line.
 */
function createValueReader(text: string, { to, isOpenEnded = false }: Range): (offset: number) => number {
  // To stay linear, a value that never ends is not searched again, and a blank line is found only once.
  const endless = new Set<string>()
  let blankLine = 0
  return offset => {
    const mark = text[offset]!
    if (endless.has(mark)) return offset
    if (isOpenEnded && blankLine < offset) blankLine = blankLineAfter(text, offset)
    const limit = isOpenEnded ? Math.min(to, blankLine) : to
    const end = endOfDelimited(text, offset, limit)
    if (end !== undefined && /^[ \t,]*(?:#|\n|$)/.test(text.slice(end, Math.min(end + 200, to)))) return end
    if (end === undefined || isBracket(mark)) endless.add(mark)
    return offset
  }
}

function isBracket(mark: string): boolean {
  return mark === '[' || mark === '{'
}

function blankLineAfter(text: string, offset: number): number {
  const blank = /\n[ \t]*\n/g
  blank.lastIndex = offset
  return blank.exec(text)?.index ?? text.length
}

/** Where the value in quotes or brackets that opens at an offset ends. Undefined if not before the limit. */
export function endOfDelimited(text: string, offset: number, limit: number): number | undefined {
  return isBracket(text[offset]!) ? endOfBrackets(text, offset, limit) : endOfQuote(text, offset, limit)
}

function endOfQuote(text: string, offset: number, limit: number): number | undefined {
  const mark = text[offset]
  for (let at = offset + 1; at < limit; at++) {
    if (text[at] === '\\' && mark === '"') at++
    else if (text[at] !== mark) continue
    else if (mark === "'" && text[at + 1] === mark) at++
    else return at + 1
  }
  return undefined
}

function endOfBrackets(text: string, offset: number, limit: number): number | undefined {
  let depth = 0
  for (let at = offset; at < limit; at++) {
    const mark = text[at]!
    if (mark === '"') {
      const end = endOfQuote(text, at, limit)
      if (end === undefined) return undefined
      at = end - 1
    } else if (isBracket(mark)) depth++
    else if ((mark === ']' || mark === '}') && --depth === 0) return at + 1
  }
  return undefined
}
