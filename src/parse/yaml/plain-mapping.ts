// A fast path for simple mappings, which most front matter is: one `key: value` per line, where values are
// plain or quoted words or a flow list of plain words. The result is the same as the YAML parser's, in a
// fraction of the time. Anything that could mean something else is left to the parser: other characters,
// numbers, dates, empty values, indentation, comments.
import { createMetadata } from '../metadata.ts'
import type { Metadata } from '../types.ts'

/** A key, then one of: words, text in double quotes, text in single quotes, a list. */
const ENTRY =
  /([A-Za-z_][\w-]{0,63}): +(?:([A-Za-z][\w .,/()'+=;!?-]*)|"([ !#-[\]-~]*)"|'([ -&(-~]*)'|\[([\w .,/-]*)\]) *(?:\n+|$)/y
const LISTED = /^[A-Za-z][\w ./-]*$/
/** Words that YAML reads as null or a boolean in some spellings. */
const SPECIAL = /^(?:null|true|false|yes|no|on|off)$/i
/** Far below every limit of the parser. */
const MOST_CHARACTERS = 8_000

/** Undefined when the text is not as simple as that. */
export function readPlainMapping(text: string): Metadata | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const metadata = createMetadata()
  for (let offset = 0; offset < text.length; offset = ENTRY.lastIndex) {
    ENTRY.lastIndex = offset
    const [, key, words, double, single, list] = ENTRY.exec(text) ?? []
    if (key === undefined || SPECIAL.test(key) || key in metadata) return undefined
    const value = words?.trimEnd() ?? double ?? single ?? readList(list!)
    if (value === undefined || (words !== undefined && SPECIAL.test(words.trimEnd()))) return undefined
    metadata[key] = value
  }
  return text === '' ? undefined : metadata
}

function readList(list: string): string[] | undefined {
  if (list.trim() === '') return []
  const items = list.split(',').map(item => item.trim())
  return items.every(item => LISTED.test(item) && !SPECIAL.test(item)) ? items : undefined
}
