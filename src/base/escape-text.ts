// Characters that a reader cannot see, or that reorder what is read: controls, bidirectional marks, lone
// surrogates, the empty braille cell, and everything that Unicode lets a font leave out (zero-width and tag
// characters, variation selectors, fillers). Answers, errors and terminals show them as escapes.

/** Made only when needed: reading its classes takes longer at start-up than loading most modules. */
const hidden = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu
/** A quick test that most texts pass: line feeds, and ranges that have no hidden characters. */
const PLAIN =
  /^[\n\x20-\x7e\xa1-\xac\xae-\u034e\u0370-\u05ff\u2010-\u2027\u2030-\u205e\u20a0-\u27ff\u3000-\u3163\u3165-\ud7ff]*$/
const ASCII_LINE = /^[\x20-\x7e]*$/
const LAYOUT = new Set(['\n', '\t'])

/** Writes every hidden character as `\u{...}`. Line feeds and tabs stay unless `oneLine` is set. */
export function escapeHidden(text: string, options: { readonly oneLine?: boolean } = {}): string {
  if (PLAIN.test(text) && !(options.oneLine && text.includes('\n'))) return text
  return text.replace(hidden(), character => {
    if (!options.oneLine && LAYOUT.has(character)) return character
    return `\\u{${character.codePointAt(0)!.toString(16)}}`
  })
}

/** Prose on one line: line breaks become blanks, hidden characters become escapes. */
export function flattenText(text: string): string {
  return ASCII_LINE.test(text)
    ? text
    : escapeHidden(text.replace(/[ \t\r\n]+/g, ' ').trim(), { oneLine: true })
}

/** A value as indented JSON. Hidden characters become `\\u....`, so it parses back to the same value. */
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
