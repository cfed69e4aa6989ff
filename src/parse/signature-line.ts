// Where the text of an item begins: after its signature line, old or new, which no parser treats as content.
// Whether the signature is valid is decided in `trust/`; here it is only skipped.

export const SIGNATURE_MARKS = ['rye:signed:', 'rye:validated:', 'kiwi-mcp:']
const OPENERS = ['<!--', '#', '//']

/** The offset after a signature on the first line, or 0. */
export function skipSignatureLine(text: string): number {
  const end = lineEnd(text, 0)
  return isSignatureLine(text.slice(0, end)) ? Math.min(end + 1, text.length) : 0
}

export function isSignatureLine(line: string): boolean {
  const opener = OPENERS.find(mark => line.startsWith(mark))
  if (opener === undefined) return false
  const content = line.slice(opener.length).trimStart()
  return SIGNATURE_MARKS.some(mark => content.startsWith(mark))
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
