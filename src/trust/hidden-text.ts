// Reports characters that a person who signs cannot see, with their positions. A warning, not a refusal,
// since there are legitimate uses. Variation selectors and joiners inside an emoji are drawn, so they are not
// hidden. A byte order mark at the very beginning is no text, and editors add it by themselves.
import { type Diagnostic, findHidden, LineMap } from '../base/index.ts'
import { asBuffer } from './byte-line.ts'

const MOST = 50
const EMOJI_JOINT = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\ufe0f0-9#*])$/u
const BIDIRECTIONAL = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/

export function findHiddenText(bytes: Uint8Array): Diagnostic[] {
  const text = asBuffer(bytes).toString('utf8')
  const hidden = findHidden(text).filter(
    ({ offset, codePoint }) => !isByteOrderMark(offset, codePoint) && !isDrawn(text, offset, codePoint),
  )
  if (hidden.length === 0) return []
  const lines = new LineMap(text)
  const found = hidden.slice(0, MOST).map(({ offset, codePoint }): Diagnostic => {
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    const kind = BIDIRECTIONAL.test(String.fromCodePoint(codePoint)) ? 'bidirectional' : 'invisible'
    const message = `${kind} character ${name}`
    return { severity: 'warning', code: `${kind}-character`, message, ...lines.position(offset) }
  })
  const last = hidden[MOST]
  if (last === undefined) return found
  const message = `${hidden.length - MOST} more invisible characters from here on`
  return [
    ...found,
    { severity: 'warning', code: 'invisible-character', message, ...lines.position(last.offset) },
  ]
}

function isByteOrderMark(offset: number, codePoint: number): boolean {
  return offset === 0 && codePoint === 0xfeff
}

function isDrawn(text: string, offset: number, codePoint: number): boolean {
  if (codePoint !== 0xfe0f && codePoint !== 0xfe0e && codePoint !== 0x200d) return false
  const before = [...text.slice(Math.max(0, offset - 2), offset)].at(-1)
  return before !== undefined && EMOJI_JOINT.test(before)
}
