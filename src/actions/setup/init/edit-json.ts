// Adds a member to a settings file that people edit: JSON with comments and trailing commas. Only inserts
// text, so comments, order and layout stay as they are.
import type { JsonValue } from '../../../base/index.ts'

/** The text with the member added; or that it is already present; or why the file cannot be edited. */
export type Edited = { readonly text: string } | { readonly present: true } | { readonly problem: string }

interface Node {
  readonly start: number
  /** The offset after its last character. */
  readonly end: number
  /** Set only for an object. */
  readonly members?: readonly Member[]
  readonly trailingComma?: number
}

interface Member {
  readonly key: string
  readonly start: number
  readonly value: Node
}

interface Insertion {
  readonly at: number
  readonly text: string
}

const MAX_DEPTH = 100

/** Adds `value` at a path of keys, making missing objects on the way. */
export function addMember(text: string, path: readonly [string, ...string[]], value: JsonValue): Edited {
  try {
    const root = new Reader(text).readDocument()
    if (root === undefined) return { text: appendDocument(text, path, value) }
    return descend(text, root, path, value)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { problem: thrown.message }
    throw thrown
  }
}

function descend(text: string, root: Node, path: readonly [string, ...string[]], value: JsonValue): Edited {
  let node = root
  for (const [depth, key] of path.entries()) {
    const where = depth === 0 ? 'the file' : `\`${path.slice(0, depth).join('.')}\``
    if (!node.members) return { problem: `expected an object in ${where}` }
    const [found, second] = node.members.filter(member => member.key === key)
    if (second) return { problem: `\`${key}\` is there twice` }
    if (!found) {
      const nested = path.slice(depth + 1).reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value)
      return { text: insert(text, insertionsFor(text, node, key, nested)) }
    }
    node = found.value
  }
  return { present: true }
}

function insertionsFor(text: string, object: Node, key: string, value: JsonValue): Insertion[] {
  const members = object.members ?? []
  const last = members.at(-1)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = indentAt(text, object.start)
  if (!last) {
    const at = object.start + text.slice(object.start, object.end - 1).trimEnd().length
    const inner = outer + unitOf(text)
    const closing = text.slice(at, object.end - 1).includes('\n') ? '' : newline + outer
    return [{ at, text: newline + inner + printMember(text, inner, key, value) + closing }]
  }
  const comma = object.trailingComma
  const from = comma === undefined ? last.value.end : comma + 1
  const separator = comma === undefined ? [{ at: last.value.end, text: ',' }] : []
  // A member follows on the line of the brace, so the object is written on one line, and the new member goes
  // there too.
  if (!text.slice(object.start, last.start).includes('\n')) {
    const printed = `${JSON.stringify(key)}: ${JSON.stringify(value)}`
    return [...separator, { at: from, text: ` ${printed}${comma === undefined ? '' : ','}` }]
  }
  const inner = indentAt(text, last.start)
  const printed = newline + inner + printMember(text, inner, key, value)
  // A comment at the end of the line belongs to the member before it.
  return [...separator, { at: endOfLine(text, from), text: printed + (comma === undefined ? '' : ',') }]
}

function insert(text: string, insertions: readonly Insertion[]): string {
  let result = ''
  let from = 0
  for (const { at, text: added } of insertions) {
    result += text.slice(from, at) + added
    from = at
  }
  return result + text.slice(from)
}

function printMember(text: string, indent: string, key: string, value: JsonValue): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, unitOf(text)).replaceAll('\n', newline + indent)}`
}

/** For a file without a value, which is empty or has only comments. */
function appendDocument(text: string, path: readonly string[], value: JsonValue): string {
  const document = path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value)
  const before = text.trimEnd()
  return `${before === '' ? '' : `${before}\n`}${JSON.stringify(document, null, 2)}\n`
}

/** The white space at the start of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)![0]
}

/** One step of indentation, taken from the first indented line. */
function unitOf(text: string): string {
  return /^([ \t]+)["/]/m.exec(text)?.[1] ?? '  '
}

/** The offset after the blanks and comments that follow on the same line. */
function endOfLine(text: string, from: number): number {
  let end = from
  for (let next = from; ; ) {
    while (text[next] === ' ' || text[next] === '\t') next++
    const after = endOfComment(text, next)
    if (after === next || text.slice(next, after).includes('\n')) return end
    end = after
    next = after
  }
}

/**
 * The offset where the comment at `offset` ends; `offset` itself when there is none. A line comment ends
 * before the line break.
 */
function endOfComment(text: string, offset: number): number {
  if (text.startsWith('//', offset)) return offset + /^[^\r\n]*/.exec(text.slice(offset))![0].length
  const end = text.startsWith('/*', offset) ? text.indexOf('*/', offset + 2) : -1
  return end === -1 ? offset : end + 2
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])/y
const BLANK = ' \t\r\n\ufeff'

class Reader {
  readonly #text: string
  #offset = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Undefined for a text without a value. */
  readDocument(): Node | undefined {
    this.#skip()
    if (this.#offset === this.#text.length) return undefined
    const node = this.#readValue(0)
    this.#skip()
    if (this.#offset < this.#text.length) throw this.#unexpected('the end of the file')
    return node
  }

  #readValue(depth: number): Node {
    if (depth > MAX_DEPTH) throw this.#unexpected(`at most ${MAX_DEPTH} levels`)
    const start = this.#offset
    if (this.#take('{')) return this.#readObject(start, depth)
    if (this.#take('[')) return this.#readList(start, depth)
    SCALAR.lastIndex = start
    if (this.#text[start] === '"') this.#readString()
    else this.#offset += SCALAR.exec(this.#text)?.[0].length ?? 0
    if (this.#offset === start) throw this.#unexpected('a value')
    return { start, end: this.#offset }
  }

  #readObject(start: number, depth: number): Node {
    const members: Member[] = []
    let trailingComma: number | undefined
    for (this.#skip(); !this.#take('}'); this.#skip()) {
      if (members.length > 0 && trailingComma === undefined) throw this.#unexpected('`,` or `}`')
      const keyStart = this.#offset
      if (this.#text[keyStart] !== '"') throw this.#unexpected('a key in double quotes')
      const key = this.#readString()
      this.#skip()
      if (!this.#take(':')) throw this.#unexpected('`:`')
      this.#skip()
      members.push({ key, start: keyStart, value: this.#readValue(depth + 1) })
      this.#skip()
      trailingComma = this.#take(',') ? this.#offset - 1 : undefined
    }
    return { start, end: this.#offset, members, ...(trailingComma !== undefined && { trailingComma }) }
  }

  #readList(start: number, depth: number): Node {
    for (let separated = true; ; separated = this.#take(',')) {
      this.#skip()
      if (this.#take(']')) return { start, end: this.#offset }
      if (!separated) throw this.#unexpected('`,` or `]`')
      this.#readValue(depth + 1)
      this.#skip()
    }
  }

  #readString(): string {
    const start = this.#offset
    let end = start + 1
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1
    try {
      const value: string = JSON.parse(this.#text.slice(start, end + 1))
      this.#offset = end + 1
      return value
    } catch {
      throw this.#unexpected('a string in double quotes')
    }
  }

  #skip(): void {
    for (let end = this.#offset; ; end = this.#offset) {
      while (end < this.#text.length && BLANK.includes(this.#text[end]!)) end++
      this.#offset = endOfComment(this.#text, end)
      if (this.#offset === end) return
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false
    this.#offset++
    return true
  }

  #unexpected(expected: string): SyntaxError {
    const before = this.#text.slice(0, this.#offset)
    const line = before.split('\n').length
    const column = this.#offset - before.lastIndexOf('\n')
    return new SyntaxError(`line ${line}, column ${column}: expected ${expected}`)
  }
}
