/** Whether a word fits a pattern with `*`, by trying everything. */
export function fitsPattern(pattern: string, word: string): boolean {
  if (pattern === '') return word === ''
  if (pattern[0] !== '*') return pattern[0] === word[0] && fitsPattern(pattern.slice(1), word.slice(1))
  return fitsPattern(pattern.slice(1), word) || (word !== '' && fitsPattern(pattern, word.slice(1)))
}
