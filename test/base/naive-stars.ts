/** Whether a text fits a pattern with `*`, and with a sign for any one character, by trying everything. */
export function fitsPattern(pattern: string, text: string, anyOne = ''): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return (
      fitsPattern(pattern.slice(1), text, anyOne) ||
      (text !== '' && fitsPattern(pattern, text.slice(1), anyOne))
    )
  const fits = pattern[0] === text[0] || (text !== '' && pattern[0] === anyOne)
  return fits && fitsPattern(pattern.slice(1), text.slice(1), anyOne)
}
