import { lazy } from './lazy.ts'

// The Unicode class is compiled when the first text needs it: at start-up that would take as long as loading
// this program's search.
const letterOrDigit = lazy(() => /[\p{L}\p{N}]/u)
const ASCII = /[0-9A-Za-z]/
const BEYOND_ASCII = /[^\0-\x7f]/

/** Whether a text has a letter or a digit of any script. */
export function hasLetterOrDigit(text: string): boolean {
  return ASCII.test(text) || (BEYOND_ASCII.test(text) && letterOrDigit().test(text))
}
