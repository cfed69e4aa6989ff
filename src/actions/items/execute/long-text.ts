// The text of a skill that is too long for an answer: its beginning, and where in its file `load` reads on. Pure.
import { callOf, type Hint, hintWith } from '../../../base/index.ts'
import { sliceText } from '../../definition/slice-text.ts'

/** Three times what the specification of Agent Skills recommends; a longer text would fill what many clients take of one answer. */
const MOST_BYTES = 65_536

interface LongText {
  readonly beginning: string
  /** Both of the file, in bytes. */
  readonly size: number
  readonly next_offset: number
}

/** Undefined if it is short. `body` is what was read of the file, up to its end. */
export function findLongText(body: string, file: Uint8Array): LongText | undefined {
  const bytes = Buffer.from(body)
  if (bytes.length <= MOST_BYTES) return undefined
  const { text } = sliceText(bytes, 0, MOST_BYTES)
  const lineEnd = text.lastIndexOf('\n') + 1
  const beginning = lineEnd > text.length / 2 ? text.slice(0, lineEnd) : text
  return { beginning, size: file.length, next_offset: offsetOf(body.length - beginning.length, file) }
}

/** Of the last characters of a text, but for blanks at its end, where they begin; each end of a line was read as one character. */
function offsetOf(rest: number, file: Uint8Array): number {
  const text = Buffer.from(file.buffer, file.byteOffset, file.length).toString('utf8').trimEnd()
  let at = text.length
  for (let left = rest; left > 0 && at > 0; left--) {
    at--
    if (text[at] === '\n' && text[at - 1] === '\r') at--
  }
  return Buffer.byteLength(text.slice(0, at))
}

/** `name` is that of its file, as `load` takes it. */
export function readOn(name: string, { size, next_offset }: LongText): Hint {
  const call = callOf('load', { item_id: name, offset: next_offset, limit: MOST_BYTES })
  return hintWith(`this is the beginning of a text of ${size} bytes: `, call, ' reads on')
}
