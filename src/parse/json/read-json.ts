// A strict JSON reader that reports positions. `JSON.parse` gives no portable position, hides duplicated keys and
// rounds large integers; this one reports all three. It also reads one value out of a longer text.
import { MAX_DIGITS } from '../metadata.ts'

const MAX_DEPTH = 100

export interface JsonReading {
  /** Absent after a syntax error. Records have null prototypes; integers past 2^53 are bigints. */
  readonly value?: unknown
  /** Where the value ends, or where reading stopped. */
  readonly end: number
  /** What was expected at `end`, when there is no value. */
  readonly problem?: string
  /** Each key that repeats an earlier one of its object, and where; the last value is kept. */
  readonly duplicates: readonly { readonly key: string; readonly offset: number }[]
}

/** Reads one JSON value at `start`, and ignores what follows it. */
export function readJson(text: string, start: number): JsonReading {
  const reader = new JsonReader(text, start)
  try {
    const value = reader.readValue(0)
    return { value, end: reader.offset, duplicates: reader.duplicates }
  } catch (thrown) {
    if (!(thrown instanceof Unexpected)) throw thrown
    return { end: thrown.offset, problem: thrown.message, duplicates: reader.duplicates }
  }
}

/** Skips the white space of JSON. */
export function skipSpace(text: string, offset: number): number {
  let end = offset
  while (end < text.length && ' \t\n\r'.includes(text[end]!)) end++
  return end
}

class Unexpected extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

class JsonReader {
  readonly duplicates: { key: string; offset: number }[] = []
  readonly #text: string
  offset: number

  constructor(text: string, start: number) {
    this.#text = text
    this.offset = start
  }

  readValue(depth: number): unknown {
    if (depth > MAX_DEPTH) this.#fail(`expected at most ${MAX_DEPTH} levels`)
    this.#skip()
    const first = this.#text[this.offset]
    if (first === '{') return this.#readObject(depth)
    if (first === '[') return this.#readArray(depth)
    if (first === '"') return this.#readString('a string')
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.offset)) continue
      this.offset += word.length
      return value
    }
    return this.#readNumber()
  }

  #readObject(depth: number): unknown {
    const record: Record<string, unknown> = Object.create(null)
    this.offset++
    this.#skip()
    if (this.#take('}')) return record
    do {
      this.#skip()
      const keyOffset = this.offset
      const key = this.#readString('a key in double quotes')
      if (Object.hasOwn(record, key)) this.duplicates.push({ key, offset: keyOffset })
      this.#skip()
      if (!this.#take(':')) this.#fail('expected `:` after a key')
      record[key] = this.readValue(depth + 1)
      this.#skip()
    } while (this.#take(','))
    if (!this.#take('}')) this.#fail('expected `,` or `}`')
    return record
  }

  #readArray(depth: number): unknown[] {
    const list: unknown[] = []
    this.offset++
    this.#skip()
    if (this.#take(']')) return list
    do {
      list.push(this.readValue(depth + 1))
      this.#skip()
    } while (this.#take(','))
    if (!this.#take(']')) this.#fail('expected `,` or `]`')
    return list
  }

  #readString(what: string): string {
    if (this.#text[this.offset] !== '"') this.#fail(`expected ${what}`)
    let end = this.offset + 1
    for (let unit = this.#text.charCodeAt(end); unit !== 0x22; unit = this.#text.charCodeAt(++end)) {
      if (unit === 0x5c) end++
      // Past the end of the text the unit is NaN, which also ends up here.
      else if (!(unit >= 0x20)) throw new Unexpected('expected `"` before the end of the line', end)
    }
    try {
      const value: string = JSON.parse(this.#text.slice(this.offset, end + 1))
      this.offset = end + 1
      return value
    } catch {
      this.#fail('expected a string with valid escapes')
    }
  }

  #readNumber(): number | bigint | string {
    NUMBER.lastIndex = this.offset
    const token = NUMBER.exec(this.#text)?.[0]
    if (token === undefined) this.#fail('expected a JSON value')
    this.offset += token.length
    const number = Number(token)
    if (Number.isSafeInteger(number) || /[.eE]/.test(token)) return number
    return token.length > MAX_DIGITS ? token : BigInt(token)
  }

  #take(character: string): boolean {
    if (this.#text[this.offset] !== character) return false
    this.offset++
    return true
  }

  #skip(): void {
    this.offset = skipSpace(this.#text, this.offset)
  }

  #fail(message: string): never {
    throw new Unexpected(message, this.offset)
  }
}
