// Kinds of characters, and case folding. ASCII is looked up in a table; everything else is tested by Unicode property.
import { hasLetterOrDigit, lazy } from '../../base/index.ts'

export const OTHER = 0
export const LOWER = 1
export const UPPER = 2
/** The kind of each ASCII character; digits count as lower-case letters. */
export const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return LOWER
  return code >= 65 && code <= 90 ? UPPER : OTHER
})
/** Each ASCII character in lower case. */
export const FOLDED = Uint8Array.from(ASCII, (kind, code) => (kind === UPPER ? code + 32 : code))

// Compiled when a text first needs them: `hasLetterOrDigit` explains why.
const mark = lazy(() => /\p{M}/u)
/** With extensions: the sign for a long vowel belongs to two scripts. Korean has spaces, but words that grow at their ends. */
const unspacedScript = lazy(
  () =>
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u,
)

/** Whether a character can be part of a word; the first of a word is a letter or a digit. */
export function isInWord(character: string): boolean {
  return hasLetterOrDigit(character) || mark().test(character)
}

/** Whether a character is a mark on the one before it. */
export function isMark(character: string): boolean {
  return mark().test(character)
}

/** Whether a letter or digit belongs to a script whose texts are not divided into words as people search for them. */
export function isUnspaced(character: string): boolean {
  return unspacedScript().test(character)
}

/** The character at an offset; a lone surrogate is itself. */
export function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!)
}
