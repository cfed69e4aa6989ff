// The parts of a word: `getUserName` has three, and a run of an unspaced script has one for each character.
import { lazy } from '../../base/index.ts'
import { isCapital, isMark, isUnspaced } from './characters.ts'
import { foldWord } from './fold.ts'

/** Longer words are cut: nobody types them, and base64 text would fill the dictionary. */
export const MAX_WORD = 64

const camelBoundary = lazy(() => /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
/** `APIs`, `URLs`: a plural, not `AP` and `Is`. */
const pluralAcronym = lazy(() => /^\p{Lu}{2,}s$/u)

export function cutWord(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD)
}

/** The folded parts of a camelCase word; none when it has only one. */
export function camelParts(written: string): string[] {
  if (pluralAcronym().test(written)) return []
  const parts = written.split(camelBoundary())
  return parts.length === 1 ? [] : parts.map(part => cutWord(foldWord(part)))
}

/**
 * Visits the same parts of a word of ASCII letters and digits, ten times as fast, as offsets in its text.
 * Splits before an upper-case letter that follows a lower-case letter or a digit, or that comes before a
 * lower-case letter. The word must not be the plural of an acronym.
 */
export function visitCamel(
  codes: Uint16Array,
  start: number,
  end: number,
  visit: (start: number, end: number) => void,
): void {
  let from = start
  for (let at = start + 1; at < end; at++) {
    if (!isCapital(codes[at]!)) continue
    const next = codes[at + 1]!
    if (isCapital(codes[at - 1]!) && !(next >= 97 && next <= 122)) continue
    visit(from, at)
    from = at
  }
  if (from > start) visit(from, end)
}

export interface Unit {
  readonly text: string
  /** True for one character of an unspaced script, with its marks; false for a run of other characters. */
  readonly isUnspaced: boolean
}

/** Splits a folded run that has characters of unspaced scripts. */
export function splitUnspaced(run: string): Unit[] {
  const units: { text: string; isUnspaced: boolean }[] = []
  for (const character of run) {
    const last = units.at(-1)
    const codePoint = character.codePointAt(0)!
    const isOwn = isUnspaced(codePoint)
    if (last && (isMark(codePoint) || (!isOwn && !last.isUnspaced))) last.text += character
    else units.push({ text: character, isUnspaced: isOwn })
  }
  return units.map(({ text, isUnspaced }) => ({ text: cutWord(text), isUnspaced }))
}
