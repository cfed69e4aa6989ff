// One line of a file, as bytes. A line ends at LF; a CR directly before that LF belongs to the line ending.

const LF = 10
const CR = 13
/** Longer than any signature line. A hostile first line of megabytes is thus never decoded as a whole. */
const MAX_TEXT = 512

export interface ByteLine {
  /** The line without its ending, one character per byte, cut after 512: enough to recognise or refuse it. */
  readonly text: string
  /** Offset of the next line, or the length of the file. */
  readonly next: number
  readonly ending: '\n' | '\r\n' | ''
}

export function lineAt(bytes: Uint8Array, start: number): ByteLine {
  const feed = bytes.indexOf(LF, start)
  const crlf = feed > start && bytes[feed - 1] === CR
  const end = feed === -1 ? bytes.length : crlf ? feed - 1 : feed
  return {
    text: asBuffer(bytes).toString('latin1', start, Math.min(end, start + MAX_TEXT)),
    next: feed === -1 ? bytes.length : feed + 1,
    ending: feed === -1 ? '' : crlf ? '\r\n' : '\n',
  }
}

/** One-based number of the line that begins at `offset`. */
export function lineNumberAt(bytes: Uint8Array, offset: number): number {
  let number = 1
  for (let feed = bytes.indexOf(LF); feed !== -1 && feed < offset; feed = bytes.indexOf(LF, feed + 1))
    number++
  return number
}

/** Replaces every CRLF by LF; a CR anywhere else stays. */
export function unifyLineEndings(bytes: Uint8Array): Uint8Array {
  let from = bytes.indexOf(CR)
  if (from === -1) return bytes
  const unified = new Uint8Array(bytes.length)
  unified.set(bytes.subarray(0, from))
  let length = from
  for (; from < bytes.length; from++) {
    if (bytes[from] === CR && bytes[from + 1] === LF) continue
    unified[length++] = bytes[from]!
  }
  return unified.subarray(0, length)
}

/** A view of the same memory, with Buffer's native search and decoding. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
