// An upper bound on how deep the JavaScript parser would recurse. That parser is native code: past some thousand
// levels it overflows its stack and takes the whole process with it, so no text may reach it unmeasured.
//
// The bound must hold for every text, also for one made to deceive. Hence, wherever a slash may begin a regular
// expression or divide, the rest of the line counts as opening everything and closing nothing; and a nesting ends
// only where the grammar leaves no other reading. It is long because it is a lexer.

// The native parser survives about 2 000 levels of its most costly construct on the 4 MB stack of a worker thread.
const MOST = 1000
// About half a second: what the parser found has to be made into objects, two microseconds for each token.
const MOST_TOKENS = 200_000
// The native parser copies the whole line for each mistake in it: a megabyte of mistakes on one line takes all memory
// there is. This bounds what is copied when everything that may be a mistake is one, in characters.
const MOST_COPIED = 200_000_000

export interface Refusal {
  readonly code: string
  readonly message: string
}

/** Why a text is not handed to the native parser. A wrong refusal costs a file, a missing one the process. */
export function findRefusal(text: string): Refusal | undefined {
  const { depth, tokens, copied } = new Meter(text).run()
  if (depth > MOST) {
    return { code: 'javascript-too-deep', message: 'expected less nesting, or shorter statements' }
  }
  if (tokens > MOST_TOKENS) {
    return { code: 'javascript-too-large', message: `expected at most ${MOST_TOKENS} words and marks` }
  }
  if (copied <= MOST_COPIED) return undefined
  return { code: 'javascript-too-large', message: 'expected shorter lines, or fewer words and marks on them' }
}

// Where a level stands: `chain` is what the current statement nests without brackets (arrows, conditions, `if`
// after `if`); `sticky` is what survives `;` and `,` (`else if` chains, type arguments).
interface Level {
  chain: number
  sticky: number
  isTemplate: boolean
}

// Cost of one token. Measured: a light one nests a hundred times deeper than a heavy one before the stack ends.
const HEAVY = 1
const LIGHT = 1 / 16
const ANGLE = 1 / 2
const ELSE = 1 / 8
// Per character of a line that cannot be read with certainty: the shortest nesting without a bracket is `a=`.
const UNREAD = 1 / 10

const INFIX = words('in of as is instanceof satisfies extends implements from while else catch finally')
// Every reserved or contextual word: not one of them can end an expression with certainty.
const KEYWORDS = words(
  'abstract accessor as assert asserts async await break case catch class const continue debugger declare default ' +
    'defer delete do else enum export extends finally for from function get global if implements import in infer ' +
    'instanceof interface intrinsic is keyof let module namespace new of out override package private protected ' +
    'public readonly require return satisfies set source static super switch throw try type typeof unique using ' +
    'var void while with yield',
)
// Statements that cannot contain another one: after them, whatever was pending has ended.
const LEAVES = words('break const continue debugger export let return throw var')

// Never a name, so that a slash after them begins a regular expression.
const BEFORE_EXPRESSION = words('case delete do else in instanceof new return throw typeof void')

const OPERATORS = '=?:<+-*%&|^~'

const WORD = /(?:[\p{ID_Continue}$\u200c\u200d]|\\u\{[0-9a-fA-F]*\}|\\u[0-9a-fA-F]{4})+/uy
const LINE_END = /[\n\r\u2028\u2029]/g
const LINE_ENDS = '\n\r\u2028\u2029'

/** What stood before, as far as it decides what a slash or a word means. */
type Before = 'value' | 'keyword' | 'operator' | 'dot' | 'paren' | 'brace' | 'unclear'

/** Never less than the levels of brackets that the text really has, up to the point where it is too deep. */
export function measureNesting(text: string): number {
  return new Meter(text).run().depth
}

class Meter {
  readonly #text: string
  readonly #levels: Level[] = [{ chain: 0, sticky: 0, isTemplate: false }]
  #offset = 0
  #before: Before = 'operator'
  #isNewLine = true
  #total = 0
  #most = 0
  #tokens = 0
  #copied = 0
  #unread = 0
  #lineStart = 0
  #lineEnd = -1
  #nextEscape = -1

  constructor(text: string) {
    this.#text = text
    if (text.startsWith('#!')) this.#offset = endOfLine(text, 0)
  }

  /** Stops where the text is known to be too much. */
  run(): { readonly depth: number; readonly tokens: number; readonly copied: number } {
    const { length } = this.#text
    while (this.#offset < length && this.#most <= MOST && this.#tokens <= MOST_TOKENS) {
      const [from, before] = [this.#offset, this.#tokens]
      this.#readToken()
      if (this.#tokens > before) this.#countCopies(from)
    }
    return { depth: this.#most, tokens: this.#tokens, copied: this.#copied }
  }

  /** Each token may be a mistake, each escape in it, and each character that could not be read with certainty. */
  #countCopies(from: number): void {
    if (from > this.#lineEnd) {
      this.#lineStart = this.#text.lastIndexOf('\n', from) + 1
      const end = this.#text.indexOf('\n', from)
      this.#lineEnd = end < 0 ? this.#text.length : end
    }
    let mistakes = 1 + this.#unread
    this.#unread = 0
    for (let at = this.#escapeIn(from); at >= 0; at = this.#escapeIn(at + 1)) mistakes++
    this.#copied += mistakes * Math.max(this.#lineEnd - this.#lineStart, this.#offset - from)
  }

  #escapeIn(from: number): number {
    if (from >= this.#nextEscape) this.#nextEscape = indexAfter(this.#text, '\\', from)
    return this.#nextEscape >= from && this.#nextEscape < this.#offset ? this.#nextEscape : -1
  }

  #readToken(): void {
    const text = this.#text
    const character = text[this.#offset]!
    if (/\s/.test(character)) {
      if (/[\n\r\u2028\u2029]/.test(character)) this.#isNewLine = true
      this.#offset++
      return
    }
    if (character === '/' && this.#skipComment()) return
    const wasNewLine = this.#isNewLine
    this.#isNewLine = false
    this.#tokens++
    WORD.lastIndex = this.#offset
    const word = WORD.exec(text)?.[0]
    if (word !== undefined) this.#readWord(word)
    else this.#readMark(character, wasNewLine)
  }

  #readMark(character: string, wasNewLine: boolean): void {
    const text = this.#text
    switch (character) {
      case '"':
      case "'":
        this.#offset = endOfString(text, this.#offset)
        this.#before = 'value'
        break
      case '`':
        this.#countPostfix()
        this.#offset++
        this.#readTemplate()
        break
      case '(':
      case '[':
        this.#countPostfix()
        this.#open(false)
        this.#offset++
        this.#before = 'operator'
        break
      case '{':
        this.#open(false)
        this.#offset++
        this.#before = 'operator'
        break
      case ')':
      case ']':
      case '}':
        this.#offset++
        this.#before = character === ')' ? 'paren' : character === '}' ? 'brace' : 'value'
        if (this.#close() && character === '}') this.#readTemplate()
        break
      case ';':
      case ',':
        this.#endStatement()
        this.#offset++
        this.#before = 'operator'
        break
      case '/':
        this.#readSlash(wasNewLine)
        break
      default:
        this.#readOperator(character)
    }
  }

  /** A call, an index or a tagged template nests what stands before it, and does not end with its bracket. */
  #countPostfix(): void {
    if (this.#before !== 'operator' && this.#before !== 'keyword') this.#addChain(LIGHT)
  }

  #skipComment(): boolean {
    const text = this.#text
    const from = this.#offset
    if (text[from + 1] === '/') this.#offset = endOfLine(text, from)
    else if (text[from + 1] === '*') {
      const end = text.indexOf('*/', from + 2)
      this.#offset = end < 0 ? text.length : end + 2
      if (/[\n\r\u2028\u2029]/.test(text.slice(from, this.#offset))) this.#isNewLine = true
    }
    return this.#offset > from
  }

  #readWord(word: string): void {
    this.#offset += word.length
    if (this.#before === 'dot') {
      this.#before = 'value'
      return
    }
    const isKeyword = KEYWORDS.has(word)
    const isAfterEnd = this.#before === 'value' || this.#before === 'brace'
    if (isAfterEnd ? !INFIX.has(word) : this.#before === 'paren' && LEAVES.has(word)) this.#endStatement()
    if (word === 'else') this.#addSticky(ELSE)
    else if (isKeyword) this.#addChain(HEAVY)
    this.#before = BEFORE_EXPRESSION.has(word) ? 'operator' : isKeyword ? 'keyword' : 'value'
  }

  #readSlash(wasNewLine: boolean): void {
    // On a new line, what ended the line before may have been a type, and the statement with it.
    if (this.#before === 'value' && !wasNewLine) {
      this.#addChain(LIGHT)
      this.#offset++
      this.#before = 'operator'
    } else if (this.#before === 'operator') {
      this.#offset = endOfRegExp(this.#text, this.#offset)
      this.#before = 'value'
    } else this.#giveUpLine()
  }

  #readOperator(character: string): void {
    const text = this.#text
    // A comment in a script, operators in a module.
    if (text.startsWith('<!--', this.#offset) || text.startsWith('-->', this.#offset)) {
      this.#giveUpLine()
      return
    }
    const pair = text.slice(this.#offset, this.#offset + 2)
    const isSpread = text.startsWith('...', this.#offset)
    if (character === '<') this.#addSticky(ANGLE)
    else this.#addChain('=?:'.includes(character) ? HEAVY : LIGHT)
    this.#offset += isSpread ? 3 : pair === '=>' || pair === '++' || pair === '--' ? 2 : 1
    if (character === '.') this.#before = isSpread ? 'operator' : 'dot'
    // After a value: `a++ / b`, `f<T> / b`, `a! / b`.
    else if (pair === '++' || pair === '--' || character === '>') this.#before = 'unclear'
    else if (character === '!') this.#before = this.#before === 'operator' ? 'operator' : 'unclear'
    else this.#before = OPERATORS.includes(character) ? 'operator' : 'unclear'
  }

  /** Goes on with a template after its opening or after a substitution. */
  #readTemplate(): void {
    const text = this.#text
    for (; this.#offset < text.length; this.#offset++) {
      const character = text[this.#offset]
      if (character === '\\') this.#offset++
      else if (character === '`') {
        this.#offset++
        this.#before = 'value'
        return
      } else if (character === '$' && text[this.#offset + 1] === '{') {
        this.#offset += 2
        this.#open(true)
        this.#before = 'operator'
        return
      }
    }
  }

  #giveUpLine(): void {
    const end = endOfLine(this.#text, this.#offset)
    const rest = this.#text.slice(this.#offset, end)
    // A template, a comment or a continued string would carry the doubt past the line.
    const isLost =
      /`|\/\*|\\$/.test(rest) || (rest.includes('}') && this.#levels.some(level => level.isTemplate))
    const unread = isLost ? this.#text.slice(this.#offset) : rest
    this.#addSticky(unread.length * UNREAD)
    this.#unread += unread.length
    // Levels of their own: the brackets that close them, if they are real, come on later lines.
    for (const character of unread) if ('([{'.includes(character)) this.#open(false)
    this.#offset += unread.length
    this.#before = 'unclear'
  }

  #open(isTemplate: boolean): void {
    this.#levels.push({ chain: 0, sticky: 0, isTemplate })
    this.#grow(1)
  }

  /** Whether the closed level was a substitution, after which the template goes on. */
  #close(): boolean {
    if (this.#levels.length === 1) return false
    const level = this.#levels.pop()!
    this.#total -= level.chain + level.sticky + 1
    return level.isTemplate
  }

  #addChain(amount: number): void {
    this.#levels.at(-1)!.chain += amount
    this.#grow(amount)
  }

  #addSticky(amount: number): void {
    this.#levels.at(-1)!.sticky += amount
    this.#grow(amount)
  }

  #endStatement(): void {
    const level = this.#levels.at(-1)!
    this.#total -= level.chain
    level.chain = 0
  }

  #grow(amount: number): void {
    this.#total += amount
    this.#most = Math.max(this.#most, this.#total)
  }
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** Where a character stands next, or the end. */
function indexAfter(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}

function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from
  return LINE_END.exec(text)?.index ?? text.length
}

/** After the closing quote, or at the end of the line: there the native parser stops too. */
function endOfString(text: string, from: number): number {
  const quote = text[from]
  for (let offset = from + 1; offset < text.length; offset++) {
    const character = text[offset]
    if (character === '\\') offset += text.startsWith('\r\n', offset + 1) ? 2 : 1
    else if (character === quote) return offset + 1
    else if (character === '\n' || character === '\r') return offset
  }
  return text.length
}

/** After the flags. */
function endOfRegExp(text: string, from: number): number {
  let isClass = false
  for (let offset = from + 1; offset < text.length; offset++) {
    const character = text[offset]!
    if (LINE_ENDS.includes(character)) return offset
    if (character === '\\' && !LINE_ENDS.includes(text[offset + 1] ?? '\n')) offset++
    else if (character === '[') isClass = true
    else if (character === ']') isClass = false
    else if (character === '/' && !isClass) {
      WORD.lastIndex = offset + 1
      return offset + 1 + (WORD.exec(text)?.[0].length ?? 0)
    }
  }
  return text.length
}
