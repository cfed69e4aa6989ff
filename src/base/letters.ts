import { lazy } from './lazy.ts'

// Unicode classes are made when the first text needs them: to read them takes a start as long as to load this program's search.
const letterOrDigit = lazy(() => /[\p{L}\p{N}]/u)
const ASCII = /[0-9A-Za-z]/
const BEYOND_ASCII = /[^\0-\x7f]/

/** Whether a text has a letter or a digit of any script. */
export function hasLetterOrDigit(text: string): boolean {
  return ASCII.test(text) || (BEYOND_ASCII.test(text) && letterOrDigit().test(text))
}
