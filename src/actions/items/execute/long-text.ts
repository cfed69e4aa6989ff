// For a skill text that is too long for an answer: its beginning, and the offset in its file at which `load`
// reads on. Pure.
import { callOf, type Hint, hintWith } from '../../../base/index.ts'
import { AGENT_PAGE, sliceText } from '../../definition/slice-text.ts'

interface LongText {
  readonly beginning: string
  /** Both refer to the file, in bytes. */
  readonly size: number
  readonly next_offset: number
}

/** Undefined if the text is short. `body` is the parsed part of the file, up to its end. */
export function findLongText(body: string, file: Uint8Array): LongText | undefined {
  const bytes = Buffer.from(body)
  if (bytes.length <= AGENT_PAGE) return undefined
  const { text } = sliceText(bytes, 0, AGENT_PAGE)
  const lineEnd = text.lastIndexOf('\n') + 1
  const beginning = lineEnd > text.length / 2 ? text.slice(0, lineEnd) : text
  return { beginning, size: file.length, next_offset: offsetOf(body.length - beginning.length, file) }
}

/**
 * The offset of the last `rest` characters of a file, not counting blanks at its end. A line end counts as
 * one character, as it was parsed.
 */
function offsetOf(rest: number, file: Uint8Array): number {
  const text = Buffer.from(file.buffer, file.byteOffset, file.length).toString('utf8').trimEnd()
  let at = text.length
  for (let left = rest; left > 0 && at > 0; left--) {
    at--
    if (text[at] === '\n' && text[at - 1] === '\r') at--
  }
  return Buffer.byteLength(text.slice(0, at))
}

/** `name` is the name of the file, as `load` takes it. */
export function readOn(name: string, { size, next_offset }: LongText): Hint {
  const call = callOf('load', { item_id: name, offset: next_offset, limit: AGENT_PAGE })
  return hintWith(`this is the beginning of a text of ${size} bytes: `, call, ' reads on')
}
