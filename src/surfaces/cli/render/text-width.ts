// How many terminal columns a text takes: wide letters and pictures take two, and marks that combine with the
// letter before them take none.

const COLOUR = /\u001b\[\d+m/g
/**
 * The characters of most texts. Only other texts are checked against the Unicode tables, whose first use
 * takes a millisecond.
 */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff…✓✗]*$/
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** Colour codes take no columns. */
export function textWidth(text: string): number {
  const shown = text.replaceAll(COLOUR, '')
  if (PLAIN.test(shown)) return shown.length
  let width = 0
  for (const letter of shown) width += letterWidth(letter)
  return width
}

/** A wider text is returned unchanged. */
export function padWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** The start of the text that fits, with all of its colour codes. */
export function takeWidth(text: string, width: number): string {
  let left = width
  let kept = ''
  for (const part of text.split(/(\u001b\[\d+m)/)) {
    if (part.startsWith('\u001b')) {
      kept += part
      continue
    }
    for (const letter of part) {
      left -= letterWidth(letter)
      if (left < 0) break
      kept += letter
    }
  }
  return kept
}

function letterWidth(letter: string): number {
  if (NO_WIDTH.test(letter)) return 0
  return WIDE.test(letter) ? 2 : 1
}
