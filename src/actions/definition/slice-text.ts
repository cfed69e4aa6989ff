// Slices a text by bytes, never inside a character.

/**
 * How many bytes of a skill an agent gets at once if it does not say: three times what the specification of
 * Agent Skills recommends for a text. More would use up what many clients accept as one answer.
 */
export const AGENT_PAGE = 65_536

export interface TextSlice {
  readonly text: string
  /** The actual bounds, in bytes. */
  readonly start: number
  readonly end: number
}

/**
 * At most `length` bytes from `offset`. Both ends are moved to where a character begins. Never less than one
 * character if any is left, even if that one is longer.
 */
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

/** Whether a byte continues a character, in UTF-8. */
function isInside(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
