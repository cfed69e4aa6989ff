// A part of a text by bytes, never half of a character.

export interface TextSlice {
  readonly text: string
  /** Where it really begins and ends. */
  readonly start: number
  readonly end: number
}

/** At most `length` bytes from `offset` on; both are moved to where a character begins. At least one character, if there is one. */
export function sliceText(bytes: Uint8Array, offset: number, length: number): TextSlice {
  const start = characterAt(bytes, Math.min(offset, bytes.length))
  let end = Math.min(start + length, bytes.length)
  while (end > start && end < bytes.length && isInside(bytes[end]!)) end--
  if (end === start && end < bytes.length) end = characterAt(bytes, start + 1)
  return { text: Buffer.from(bytes.subarray(start, end)).toString('utf8'), start, end }
}

function characterAt(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && isInside(bytes[at]!)) at++
  return at
}

/** Bytes after the first of a character, in UTF-8. */
function isInside(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
