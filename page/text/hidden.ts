// Makes invisible characters visible: each becomes a part of its own, with its code point.
import { findHidden } from '../../src/base/escape-text.ts'

export interface Visible {
  readonly text: string
  /** `U+202E` for an invisible character, which `text` then holds; undefined otherwise. */
  readonly hidden?: string
}

const JOINTS = new Set([0xfe0f, 0xfe0e, 0x200d])
const EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u

export function showHidden(text: string): Visible[] {
  const parts: Visible[] = []
  let at = 0
  for (const { offset, codePoint } of findHidden(text)) {
    // Part of an emoji, which is drawn as a whole.
    if (JOINTS.has(codePoint) && EMOJI.test(text.slice(Math.max(0, offset - 2), offset))) continue
    if (at < offset) parts.push({ text: text.slice(at, offset) })
    const character = String.fromCodePoint(codePoint)
    parts.push({ text: character, hidden: `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}` })
    at = offset + character.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

/** The same as plain text, for texts with very many of them. */
export function escapeHidden(text: string): string {
  return showHidden(text)
    .map(part => (part.hidden === undefined ? part.text : `⟨${part.hidden}⟩`))
    .join('')
}
