// Folding: words that differ only in case, accents or width become the same word. Marks that turn a letter
// into another one are kept: a Russian `й` is not `и`, and in Hindi or Thai marks are vowels.
import { lazy } from '../../base/index.ts'

/** Full-width letters, half-width kana, and ligatures. */
const wide = lazy(() => /[\uff01-\uffdc\ufb00-\ufb06]/g)
/**
 * Latin, Greek and Cyrillic accents; Hebrew and Arabic points and vowels, which are seldom written; and the
 * Arabic stroke that only stretches a word.
 */
const accents = lazy(
  () =>
    /([\u0438\u0456\u0443][\u0306\u0308])|[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+/g,
)
/** Letters that are replaced by others when a keyboard lacks them. */
const OTHER_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ς: 'σ' },
  }),
)
const otherLetters = lazy(() => new RegExp(`[${[...OTHER_LETTERS.keys()].join('')}]`, 'g'))
const ASCII_ONLY = /^[\0-\x7f]*$/

/** Folds a word or a pattern. The result is never empty, unless the text is. */
export function foldWord(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  const lower = text
    .replace(wide(), character => character.normalize('NFKC'))
    .normalize('NFD')
    .toLowerCase()
  const folded = lower
    .replace(accents(), (_, kept: string | undefined) => kept ?? '')
    .replace(otherLetters(), letter => OTHER_LETTERS.get(letter)!)
    .normalize('NFC')
  return folded === '' ? lower.normalize('NFC') : folded
}

const accented = lazy(() => /[\u00c0-\u052f\u1e00-\u1fff\uff01-\uffdc]/g)

/**
 * What each of these characters folds to, if it stays as long; otherwise the character itself. There are some
 * two thousand, and a text repeats the same few.
 */
const inPlace = new Map<string, string>()

/** Folds a text character by character, but only where every offset stays the same. */
export function foldInPlace(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return text.replace(accented(), foldCharacter).toLowerCase()
}

function foldCharacter(character: string): string {
  const known = inPlace.get(character)
  if (known !== undefined) return known
  const folded = foldWord(character)
  const kept = folded.length === character.length ? folded : character
  inPlace.set(character, kept)
  return kept
}
