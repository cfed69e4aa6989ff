// What the table of words has of stems: most words are their own, which is not stored.
import { stem } from '../text/porter.ts'

/** Compounds such as `read-file` have none. */
export function stemOf(word: string): string | undefined {
  return /[_.-]/.test(word) ? undefined : stem(word)
}

/** As it is stored: null for a word that is found by itself alone. */
export function storedStem(word: string): string | null {
  const root = stemOf(word)
  return root === undefined || root === word ? null : root
}
