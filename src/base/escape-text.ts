// Characters that a reader cannot see, or that reorder what is read: controls, bidirectional marks, lone surrogates, the empty
// cell of braille, and all that Unicode lets a font leave out (zero-width and tag characters, variation selectors, fillers).
// Shown as escapes in answers, errors and terminals.

/** Made when it is needed: to read its classes takes a start longer than most of its modules. */
const hidden = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu
/** Most texts have none of them, and that is quickly seen: by lines of letters and signs from ranges in which none lies. */
const PLAIN =
  /^[\n\x20-\x7e\xa1-\xac\xae-\u034e\u0370-\u05ff\u2010-\u2027\u2030-\u205e\u20a0-\u27ff\u3000-\u3163\u3165-\ud7ff]*$/
const ASCII_LINE = /^[\x20-\x7e]*$/
const LAYOUT = new Set(['\n', '\t'])

/** Shows every hidden character as `\u{...}`; line feeds and tabs stay unless `oneLine` is set. */
export function escapeHidden(text: string, options: { readonly oneLine?: boolean } = {}): string {
  if (PLAIN.test(text) && !(options.oneLine && text.includes('\n'))) return text
  return text.replace(hidden(), character => {
    if (!options.oneLine && LAYOUT.has(character)) return character
    return `\\u{${character.codePointAt(0)!.toString(16)}}`
  })
}

/** Prose for one line: what breaks its lines is a blank, what is hidden in it is shown. */
export function flattenText(text: string): string {
  return ASCII_LINE.test(text)
    ? text
    : escapeHidden(text.replace(/[ \t\r\n]+/g, ' ').trim(), { oneLine: true })
}

/** A value as indented JSON. Hidden characters are written as `\\u....`, so that it is the same value for whoever parses it. */
export function printVisibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  if (PLAIN.test(text)) return text
  return text.replace(hidden(), character =>
    character === '\n' ? character : character.replace(/[\s\S]/g, escapeUnit),
  )
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export interface HiddenCharacter {
  readonly offset: number
  readonly codePoint: number
}

/** Finds hidden characters, leaving out ordinary layout (LF, CR, tab). */
export function findHidden(text: string): HiddenCharacter[] {
  if (PLAIN.test(text)) return []
  const found: HiddenCharacter[] = []
  for (const match of text.matchAll(hidden())) {
    if (LAYOUT.has(match[0]) || match[0] === '\r') continue
    found.push({ offset: match.index, codePoint: match[0].codePointAt(0)! })
  }
  return found
}
