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
export const LOWERED = ASCII.map((kind, code) => (kind === UPPER ? code + 32 : code))
/** The same of letters and digits; 0 for others. */
export const WORD_LETTERS = LOWERED.map((lower, code) => (ASCII[code] === OTHER ? 0 : lower))

// Compiled when a text first needs them: `hasLetterOrDigit` explains why.
const mark = lazy(() => /\p{M}/u)
/** With extensions: the sign for a long vowel belongs to two scripts. Korean has spaces, but words that grow at their ends. */
const unspacedScript = lazy(
  () =>
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u,
)

const KNOWN = 1
const BEGINS_WORD = 2
const IN_WORD = 4
/** What was asked of the characters of the basic plane: dashes and arrows stand in every other sentence. */
const asked = lazy(() => new Uint8Array(65_536))

/** Whether the character at an offset can begin a word: it is a letter or a digit. */
export function beginsWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? ASCII[code] !== OTHER : (traitsAt(text, at, code) & BEGINS_WORD) !== 0
}

/** Whether the character at an offset can be part of a word: it may be a mark as well. */
export function isInWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? ASCII[code] !== OTHER : (traitsAt(text, at, code) & IN_WORD) !== 0
}

function traitsAt(text: string, at: number, code: number): number {
  // Half of a pair says nothing about the character.
  if (code >= 0xd800 && code <= 0xdfff) return findTraits(characterAt(text, at))
  const known = asked()[code]!
  if (known !== 0) return known
  const traits = findTraits(text.charAt(at))
  asked()[code] = traits
  return traits
}

function findTraits(character: string): number {
  if (hasLetterOrDigit(character)) return KNOWN | BEGINS_WORD | IN_WORD
  return isMark(character) ? KNOWN | IN_WORD : KNOWN
}

/** Whether a character can be part of a word; the first of a word is a letter or a digit. */
export function isInWord(character: string): boolean {
  return (findTraits(character) & IN_WORD) !== 0
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
