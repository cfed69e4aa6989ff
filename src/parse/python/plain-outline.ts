// A fast path for the outline of a typical tool: imports, constants that JSON could hold, definitions with
// plain headers, a `__main__` block. Values are turned into JSON and read by `JSON.parse`, in a fraction of
// the time that the Python parser takes. Anything that could mean something else is left to that parser:
// escapes, comments inside brackets, names, decorators, other statements.
import type { JsonValue } from '../../base/index.ts'
import {
  CODE_FIELDS,
  type CodeEntry,
  type CodeFacts,
  isMetadataName,
  type LineRange,
} from '../code-fields.ts'
import { cleanDocstring } from './docstring.ts'

const KEYWORDS = `False None True and as assert async await break class continue def del elif else except finally for from global
if import in is lambda nonlocal not or pass raise return try while with yield match case type _`
const NAME = String.raw`(?!(?:${KEYWORDS.split(/\s+/).join('|')})\b)[A-Za-z_]\w*`
const TYPE = String.raw`${NAME}(?:\[${NAME}(?:, ${NAME})*\])?`
const PARAMETER = `${NAME}(?:: ${TYPE})?`
/** An imported `execute` is an entry, which is left to the parser. */
const IMPORTED = `(?!execute\\b)${NAME}(?: as (?!execute\\b)${NAME})?`
const END = String.raw`[ \t]*(?:#[^\n]*)?(?:\n|$)`
/** What the outline leaves of a block below its header. */
const BLOCK = String.raw`:${END} pass(?:\n|$)`
/** Continues over lines that are indented or close a bracket. */
const VALUE = String.raw`(?:"[^"\\\n]*"|'[^'\\\n]*'|[^"'\\#()\n]|\n(?=[ \t}\]]))+`

// One pattern per kind of statement. Groups are the names bound, or values.
const NOTHING = sticky(String.raw`(?:[ \t]*(?:#[^\n]*)?\n)+|[ \t]*(?:#[^\n]*)?$`)
const TEXT = sticky(String.raw`(?:"""([^"\\]*)"""|"([^"\\\n]+)")${END}`)
// A value is matched whole or not at all: backtracking through every shorter one would take too long.
const ASSIGNMENT = sticky(`(${NAME}) = (?=(${VALUE}))\\2${END}`)
const IMPORT = sticky(`(?:from ${NAME}(?:\\.${NAME})* )?import (${IMPORTED}(?:, ${IMPORTED})*)${END}`)
const DEFINITION = sticky(
  `(async )?def (${NAME})\\((?:${PARAMETER}(?:, ${PARAMETER})*)?\\)(?: -> (?:None|${TYPE}))?${BLOCK}`,
)
const CLASS = sticky(`class (${NAME})(?:\\(${NAME}\\))?${BLOCK}`)
const MAIN = sticky(`if __name__ == (?:"__main__"|'__main__')${BLOCK}`)

export interface PythonFacts extends CodeFacts {
  /** Lines that set metadata. */
  readonly metadataLines: readonly LineRange[]
}

/** Undefined when the outline is not as simple as that. */
export function readPlainOutline(outline: string): PythonFacts | undefined {
  const constants = new Map<string, JsonValue>()
  const metadataLines: LineRange[] = []
  const entry: CodeEntry = { execute: null, main: false }
  let docstring: string | undefined
  let isFirst = true
  let at = 0
  let line = 1
  let found: RegExpExecArray | undefined
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    found = pattern.exec(outline) ?? undefined
    if (found) at = pattern.lastIndex
    return found !== undefined
  }
  /** For names bound to anything but a constant. False for a field: the parser then reports the mistake. */
  const forget = (name: string): boolean => {
    constants.delete(name)
    return !CODE_FIELDS.has(name)
  }
  while (at < outline.length) {
    const isEmpty = take(NOTHING)
    if (isEmpty) {
      // Only blank lines and comments: what follows may still be the first statement.
    } else if (take(TEXT)) {
      if (isFirst) docstring = cleanDocstring(found![1] ?? found![2]!)
    } else if (take(ASSIGNMENT)) {
      const name = found![1]!
      const written = withoutBlanksBehind(found![2]!)
      const value = readPlainValue(written)
      if (value === undefined) return undefined
      constants.set(name, value)
      if (isMetadataName(name)) metadataLines.push({ first: line, last: line + countLines(written) })
    } else if (take(DEFINITION)) {
      if (!forget(found![2]!)) return undefined
      if (found![2] === 'execute') entry.execute = found![1] === undefined ? 'sync' : 'async'
    } else if (take(IMPORT)) {
      if (!found![1]!.split(', ').every(name => forget(name.split(' as ').at(-1)!))) return undefined
    } else if (take(CLASS)) {
      if (!forget(found![1]!)) return undefined
    } else if (take(MAIN)) entry.main = true
    else return undefined
    isFirst &&= isEmpty
    line += countLines(found![0])
  }
  return { constants, docstring, entry, metadataLines }
}

const PIECE = /"[^"]*"|'[^']*'|\b[A-Za-z_]\w*|(?<=["'\w}\]]),(?=[ \t\n]*[}\]])/g
const WORDS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** Reads a literal that would be JSON but for its quotes, its words (`True`) and a trailing comma. */
function readPlainValue(written: string): JsonValue | undefined {
  // A number this long may be past 2^53.
  if (/\d{16}/.test(written)) return undefined
  const json = written.replace(PIECE, piece => {
    if (piece === ',') return ''
    if (piece[0] === "'") return JSON.stringify(piece.slice(1, -1))
    // Any other name becomes `?`, which `JSON.parse` refuses.
    return piece[0] === '"' ? piece : (WORDS.get(piece) ?? '?')
  })
  try {
    return JSON.parse(json)
  } catch {
    // Too complex for this reader.
    return undefined
  }
}

function withoutBlanksBehind(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\n'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function sticky(source: string): RegExp {
  return new RegExp(source, 'y')
}
