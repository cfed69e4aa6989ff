// How the table of words stores stems. Most words are their own stem, which is not stored.
import { stem } from '../text/porter.ts'

/** Compounds such as `read-file` have none. */
export function stemOf(word: string): string | undefined {
  return /[_.-]/.test(word) ? undefined : stem(word)
}

/** The stem as it is stored; null for a compound, and for a word that is its own stem. */
export function storedStem(word: string): string | null {
  const root = stemOf(word)
  return root === undefined || root === word ? null : root
}
