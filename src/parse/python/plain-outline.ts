// The outline of a tool as most are written: imports, constants that are plain literals, definitions with plain headers, a
// `__main__` block. It is read here as the parser of Python reads it, at a fraction of the time. Whatever could mean
// anything else is left to the parser: escapes, comments inside of brackets, expressions, decorators, other statements.
import type { JsonObject, JsonValue } from '../../base/index.ts'
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
const IMPORTED = `${NAME}(?: as ${NAME})?`
const END = String.raw`[ \t]*(?:#[^\n]*)?(?:\n|$)`
/** What is left of the lines below a header. */
const BLOCK = String.raw`:${END} pass(?:\n|$)`

const sticky = (source: string) => new RegExp(source, 'y')
const NOTHING = sticky(String.raw`(?:[ \t]*(?:#[^\n]*)?\n)+|[ \t]*(?:#[^\n]*)?$`)
const TEXT = sticky(String.raw`(?:"""([^"\\]*)"""|"([^"\\\n]+)")${END}`)
const ASSIGNMENT = sticky(`(${NAME}) = `)
const ASSIGNED = sticky(END)
const IMPORT = sticky(`(?:from ${NAME}(?:\\.${NAME})* )?import (${IMPORTED}(?:, ${IMPORTED})*)${END}`)
const DEFINITION = sticky(
  `(async )?def (${NAME})\\((?:${PARAMETER}(?:, ${PARAMETER})*)?\\)(?: -> (?:None|${TYPE}))?${BLOCK}`,
)
const CLASS = sticky(`class (${NAME})(?:\\(${NAME}\\))?${BLOCK}`)
const MAIN = sticky(`if __name__ == (?:"__main__"|'__main__')${BLOCK}`)

export interface PythonFacts extends CodeFacts {
  /** Where metadata stand. */
  readonly metadataLines: readonly LineRange[]
}

/** Undefined when the outline is not as simple as that. */
export function readPlainOutline(outline: string): PythonFacts | undefined {
  const reader = new Reader(outline)
  const constants = new Map<string, JsonValue>()
  const metadataLines: LineRange[] = []
  const entry: CodeEntry = { execute: null, main: false }
  let docstring: string | undefined
  let isFirst = true
  while (!reader.atEnd) {
    if (reader.take(NOTHING)) continue
    const text = reader.take(TEXT)
    const assigned = text ? undefined : reader.take(ASSIGNMENT)?.[1]
    if (text) {
      if (isFirst) docstring = cleanDocstring(text[1] ?? text[2]!)
    } else if (assigned !== undefined) {
      const first = reader.line
      const value = reader.value(0)
      if (isMetadataName(assigned)) metadataLines.push({ first, last: reader.line })
      if (value === undefined || !reader.take(ASSIGNED)) return undefined
      constants.set(assigned, value)
    } else {
      const names = readOther(reader, entry)
      // A field that is bound to something else is a mistake to be told.
      if (names === undefined || names.some(name => CODE_FIELDS.has(name))) return undefined
      for (const name of names) constants.delete(name)
    }
    isFirst = false
  }
  return { constants, docstring, entry, metadataLines }
}

/** The names that a statement binds to something that is no constant. */
function readOther(reader: Reader, entry: CodeEntry): string[] | undefined {
  const definition = reader.take(DEFINITION)
  if (definition) {
    if (definition[2] === 'execute') entry.execute = definition[1] === undefined ? 'sync' : 'async'
    return [definition[2]!]
  }
  const imported = reader.take(IMPORT)
  if (imported) return imported[1]!.split(', ').map(name => name.split(' as ').at(-1)!)
  const named = reader.take(CLASS)
  if (named) return [named[1]!]
  if (!reader.take(MAIN)) return undefined
  entry.main = true
  return []
}

const BLANKS = sticky('[ \\t\\n]*')
const STRING = sticky(String.raw`"([^"\\\n]*)"(?!")|'([^'\\\n]*)'(?!')`)
/** Short enough to be exact. */
const NUMBER = sticky(String.raw`-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?(?![\w.])`)
const WORD = sticky(String.raw`(?:True|False|None)\b`)
const WORDS: ReadonlyMap<string, JsonValue> = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
])
const COMMA = sticky(String.raw`[ \t\n]*,[ \t\n]*`)
const COLON = sticky(String.raw`[ \t\n]*:[ \t\n]*`)
const MOST_LEVELS = 50

class Reader {
  readonly #text: string
  #at = 0
  #line = 1
  #lineEnd: number

  constructor(text: string) {
    this.#text = text
    this.#lineEnd = text.indexOf('\n')
  }

  /** The number of the line that has been reached. */
  get line(): number {
    while (this.#lineEnd !== -1 && this.#lineEnd < this.#at) {
      this.#line++
      this.#lineEnd = this.#text.indexOf('\n', this.#lineEnd + 1)
    }
    return this.#line
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found) this.#at = pattern.lastIndex
    return found
  }

  /** A literal without escapes; undefined when it is anything else. */
  value(depth: number): JsonValue | undefined {
    const first = this.#text[this.#at]
    if (first === '"' || first === "'") return this.#string()
    if (first === '[') return depth < MOST_LEVELS ? this.#list(depth + 1) : undefined
    if (first === '{') return depth < MOST_LEVELS ? this.#dict(depth + 1) : undefined
    const word = this.take(WORD)
    if (word) return WORDS.get(word[0])
    const number = this.take(NUMBER)
    // JSON has no negative zero.
    return number && (Number(number[0]) || 0)
  }

  #string(): string | undefined {
    const found = this.take(STRING)
    return found && (found[1] ?? found[2])
  }

  #list(depth: number): JsonValue[] | undefined {
    const items: JsonValue[] = []
    const isWhole = this.#items(']', () => {
      const item = this.value(depth)
      return item !== undefined && items.push(item) > 0
    })
    return isWhole ? items : undefined
  }

  #dict(depth: number): JsonObject | undefined {
    const object: JsonObject = Object.create(null)
    const isWhole = this.#items('}', () => {
      const key = this.#string()
      const value = key !== undefined && this.take(COLON) ? this.value(depth) : undefined
      if (key === undefined || value === undefined) return false
      object[key] = value
      return true
    })
    return isWhole ? object : undefined
  }

  /** Items between brackets, with commas between them and perhaps one behind the last. */
  #items(close: string, readItem: () => boolean): boolean {
    this.#at++
    this.take(BLANKS)
    while (this.#text[this.#at] !== close) {
      if (!readItem()) return false
      const isMore = this.take(COMMA) !== undefined
      if (!isMore) this.take(BLANKS)
      if (!isMore && this.#text[this.#at] !== close) return false
    }
    this.#at++
    return true
  }
}
