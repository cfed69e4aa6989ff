// Kinds of characters, and case folding. ASCII is looked up in a table; everything else is tested by Unicode
// property.
import { hasLetterOrDigit, lazy } from '../../base/index.ts'

/** By ASCII code: letters in lower case, digits as they are, and 0 for all other characters. */
export const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return code
  return isCapital(code) ? code + 32 : 0
})

export function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

// Compiled when a text first needs them; base/letters.ts explains why.
const mark = lazy(() => /\p{M}/u)
/**
 * Script extensions (`scx`), because the sign for a long vowel belongs to two scripts. Hangul is here because
 * Korean has spaces, but attaches endings to its words.
 */
const unspacedScript = lazy(
  () =>
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u,
)

const LETTER = 1
const MARK = 2
const UNSPACED = 4
/** The bit this far above the bit of a trait says that the trait has been tested. */
const ASKED = 4
const CODE_POINTS = 0x110000
/**
 * The known traits of each code point. Testing one takes longer than reading a word, and the same few keep
 * coming back.
 */
const traits = lazy(() => new Uint8Array(CODE_POINTS))

function hasTrait(codePoint: number, trait: number, test: (character: string) => boolean): boolean {
  const known = traits()
  if ((known[codePoint]! & (trait << ASKED)) === 0)
    known[codePoint]! |= (trait << ASKED) | (test(String.fromCodePoint(codePoint)) ? trait : 0)
  return (known[codePoint]! & trait) !== 0
}

/** Whether a character is a letter or a digit, and so can begin a word. */
export function isLetterOrDigit(codePoint: number): boolean {
  return hasTrait(codePoint, LETTER, hasLetterOrDigit)
}

/** Whether a character is a combining mark, such as an accent. */
export function isMark(codePoint: number): boolean {
  return hasTrait(codePoint, MARK, character => mark().test(character))
}

/** Whether a character can be part of a word. */
export function isInWord(codePoint: number): boolean {
  return isLetterOrDigit(codePoint) || isMark(codePoint)
}

/**
 * Whether a letter or digit belongs to a script whose texts do not separate the words that people search for.
 */
export function isUnspaced(codePoint: number): boolean {
  return hasTrait(codePoint, UNSPACED, character => unspacedScript().test(character))
}

/**
 * Like `codePointAt` of a string; a lone surrogate is returned as it is. A zero must follow the codes of the
 * text.
 */
export function codePointAt(codes: Uint16Array, at: number): number {
  const code = codes[at]!
  if ((code & 0xfc00) !== 0xd800) return code
  const low = codes[at + 1]!
  return (low & 0xfc00) === 0xdc00 ? (code - 0xd800) * 1024 + (low - 0xdc00) + 0x10000 : code
}

/** How many UTF-16 codes a code point takes. */
export function lengthOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1
}
