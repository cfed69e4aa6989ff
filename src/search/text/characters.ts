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

// Compiled when a text first needs them: `hasLetterOrDigit` explains why.
const mark = lazy(() => /\p{M}/u)
const unspacedScript = lazy(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u,
)

/** Whether a character can be part of a word; the first of a word is a letter or a digit. */
export function isInWord(character: string): boolean {
  return hasLetterOrDigit(character) || mark().test(character)
}

/** Whether a character belongs to a script that is written without spaces. */
export function isUnspaced(character: string): boolean {
  return unspacedScript().test(character)
}

/** Case-folds a pattern the way words are folded. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The character at an offset; a lone surrogate is itself. */
export function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!)
}
