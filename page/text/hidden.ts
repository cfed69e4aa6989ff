// Characters that cannot be seen, made visible: each stands apart, under its number.
import { findHidden } from '../../src/base/escape-text.ts'

export interface Visible {
  readonly text: string
  /** `U+202E`, for a character that would not be seen; `text` is it. */
  readonly hidden?: string
}

const JOINTS = new Set([0xfe0f, 0xfe0e, 0x200d])
const EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u

export function showHidden(text: string): Visible[] {
  const parts: Visible[] = []
  let at = 0
  for (const { offset, codePoint } of findHidden(text)) {
    // Part of a picture that is drawn.
    if (JOINTS.has(codePoint) && EMOJI.test(text.slice(Math.max(0, offset - 2), offset))) continue
    if (at < offset) parts.push({ text: text.slice(at, offset) })
    const character = String.fromCodePoint(codePoint)
    parts.push({ text: character, hidden: `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}` })
    at = offset + character.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

/** The same within the text itself, for text that is full of them. */
export function escapeHidden(text: string): string {
  return showHidden(text)
    .map(part => (part.hidden === undefined ? part.text : `⟨${part.hidden}⟩`))
    .join('')
}
