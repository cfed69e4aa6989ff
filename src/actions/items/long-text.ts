// A text that is too long for one answer: its beginning, and where and how `load` reads on. Pure.
import { type Caller, callOf, type Hint, hintWith, type JsonObject } from '../../base/index.ts'
import { sliceText, type TextSlice } from '../definition/slice-text.ts'

/**
 * Three times what the specification of Agent Skills recommends for a skill. A longer text would use up what
 * many clients accept as one answer.
 */
export const MOST_BYTES = 65_536

/**
 * How much of a text is one answer when nobody said how much. A program or a person can take all of it; an
 * agent pays for each byte with its context.
 */
export function bytesFor(caller: Caller): number {
  return caller === 'agent' ? MOST_BYTES : Number.POSITIVE_INFINITY
}

export interface LongText {
  readonly beginning: string
  /** Both refer to what `load` reads, in bytes. */
  readonly size: number
  readonly next_offset: number
}

/** Like `sliceText`, but ends after a line where that costs less than half. */
export function sliceLines(bytes: Uint8Array, offset: number, length: number): TextSlice {
  const slice = sliceText(bytes, offset, length)
  if (slice.end === bytes.length) return slice
  const lineEnd = slice.text.lastIndexOf('\n') + 1
  if (lineEnd <= slice.text.length / 2) return slice
  const text = slice.text.slice(0, lineEnd)
  return { ...slice, text, end: slice.start + Buffer.byteLength(text) }
}

/** The beginning of a whole text. Undefined if it is short. */
export function findLong(bytes: Uint8Array): LongText | undefined {
  if (bytes.length <= MOST_BYTES) return undefined
  const { text, end } = sliceLines(bytes, 0, MOST_BYTES)
  return { beginning: text, size: bytes.length, next_offset: end }
}

/**
 * The same for the text of an item, which is mostly the end of its file. Otherwise `next_offset` is 0: `load`
 * reads the file from its start.
 */
export function findLongBody(body: string, file: Uint8Array): LongText | undefined {
  const long = findLong(Buffer.from(body))
  return (
    long && { ...long, size: file.length, next_offset: offsetOf(body.slice(long.beginning.length), file) }
  )
}

/**
 * The offset of what a file ends with, not counting blanks at its end. A line end counts as one character, as
 * it was parsed.
 */
function offsetOf(ending: string, file: Uint8Array): number {
  const text = Buffer.from(file.buffer, file.byteOffset, file.length).toString('utf8').trimEnd()
  const rest = ending.trimEnd()
  let at = text.length
  for (let left = rest.length - 1; left >= 0; left--) {
    at--
    if (text[at] !== rest[left]) return 0
    if (text[at] === '\n' && text[at - 1] === '\r') at--
  }
  return Buffer.byteLength(text.slice(0, at))
}

/** `asked` is what `load` takes to find the text. */
export function readOn(asked: JsonObject, { size, next_offset }: Omit<LongText, 'beginning'>): Hint {
  const call = callOf('load', { ...asked, offset: next_offset, limit: MOST_BYTES })
  return hintWith(`the whole text has ${size} bytes: `, call, ' reads on')
}
