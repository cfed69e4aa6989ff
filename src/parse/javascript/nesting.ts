// An upper bound on how deep the JavaScript parser would recurse. That parser is native code: past some thousand
// levels it overflows its stack and takes the whole process with it, so no text may reach it unmeasured.
//
// The bound must hold for every text, also for one made to deceive. Hence, wherever a slash may begin a regular
// expression or divide, the rest of the line counts as opening everything and closing nothing; and a nesting ends
// only where the grammar leaves no other reading. Length is 250 lines because it is a lexer.

// The native parser survives about 2 000 levels of its most costly construct on the 4 MB stack of a worker thread.
const MOST = 1000

/** Whether a text is safe to hand to the native parser; a wrong `false` refuses a file, a wrong `true` is a crash. */
export function isShallow(text: string): boolean {
  return measure(text) <= MOST
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

const WORD = /(?:[\p{ID_Continue}$\u200c\u200d]|\\u\{[0-9a-fA-F]*\}|\\u[0-9a-fA-F]{4})+/uy
const LINE_END = /[\n\r\u2028\u2029]/g

/** What stood before, as far as it decides what a slash or a word means. */
type Before = 'value' | 'keyword' | 'operator' | 'dot' | 'paren' | 'brace' | 'unclear'

function measure(text: string): number {
  const levels: Level[] = [{ chain: 0, sticky: 0, isTemplate: false }]
  let total = 0
  let most = 0
  let before: Before = 'operator'
  let isNewLine = true
  let offset = text.startsWith('#!') ? endOfLine(text, 0) : 0

  const add = (amount: number) => {
    levels.at(-1)!.chain += amount
    total += amount
    most = Math.max(most, total)
  }
  const addSticky = (amount: number) => {
    levels.at(-1)!.sticky += amount
    total += amount
    most = Math.max(most, total)
  }
  const endStatement = () => {
    total -= levels.at(-1)!.chain
    levels.at(-1)!.chain = 0
  }
  const open = (isTemplate: boolean) => {
    levels.push({ chain: 0, sticky: 0, isTemplate })
    total += 1
    most = Math.max(most, total)
  }
  /** Whether the closed level was a substitution, after which the template goes on. */
  const close = (): boolean => {
    if (levels.length === 1) return false
    const level = levels.pop()!
    total -= level.chain + level.sticky + 1
    return level.isTemplate
  }
  /** Continues a template after its opening or after a substitution. */
  const readTemplate = () => {
    for (; offset < text.length; offset++) {
      if (text[offset] === '\\') offset++
      else if (text[offset] === '`') {
        offset++
        before = 'value'
        return
      } else if (text[offset] === '$' && text[offset + 1] === '{') {
        offset += 2
        open(true)
        before = 'operator'
        return
      }
    }
  }
  const giveUpLine = () => {
    const end = endOfLine(text, offset)
    const rest = text.slice(offset, end)
    // A template, a comment or a continued string would carry the doubt past the line.
    const isLost = /`|\/\*|\\$/.test(rest) || (rest.includes('}') && levels.some(level => level.isTemplate))
    const unread = isLost ? text.slice(offset) : rest
    addSticky(unread.length * UNREAD)
    // Levels of their own: the brackets that close them, if they are real, come on later lines.
    for (const character of unread)
      if (character === '(' || character === '[' || character === '{') open(false)
    offset += unread.length
    before = 'unclear'
  }
  const readWord = (word: string) => {
    const isKeyword = KEYWORDS.has(word)
    const isAfterEnd = before === 'value' || before === 'brace'
    if (isAfterEnd ? !INFIX.has(word) : before === 'paren' && LEAVES.has(word)) endStatement()
    if (word === 'else') addSticky(ELSE)
    else if (isKeyword) add(HEAVY)
    before = isKeyword ? 'keyword' : 'value'
  }

  while (offset < text.length) {
    const character = text[offset]!
    if (character === '\n' || character === '\r' || character === '\u2028' || character === '\u2029') {
      isNewLine = true
      offset++
      continue
    }
    if (character <= ' ' && character !== '\0') {
      offset++
      continue
    }
    if (character === '/' && text[offset + 1] === '/') {
      offset = endOfLine(text, offset)
      continue
    }
    if (character === '/' && text[offset + 1] === '*') {
      const end = text.indexOf('*/', offset + 2)
      const next = end < 0 ? text.length : end + 2
      LINE_END.lastIndex = offset
      const line = LINE_END.exec(text)
      if (line !== null && line.index < next) isNewLine = true
      offset = next
      continue
    }
    const wasNewLine = isNewLine
    isNewLine = false
    WORD.lastIndex = offset
    const word = WORD.exec(text)?.[0]
    if (word !== undefined) {
      offset += word.length
      if (before === 'dot') before = 'value'
      else readWord(word)
      continue
    }
    switch (character) {
      case '"':
      case "'":
        offset = endOfString(text, offset)
        before = 'value'
        break
      case '`':
        offset++
        readTemplate()
        break
      case '(':
      case '[':
      case '{':
        open(false)
        offset++
        before = 'operator'
        break
      case ')':
      case ']':
      case '}':
        offset++
        if (close() && character === '}') readTemplate()
        else before = character === ')' ? 'paren' : character === '}' ? 'brace' : 'value'
        break
      case ';':
      case ',':
        endStatement()
        offset++
        before = 'operator'
        break
      case '/':
        // On a new line, what ended the line before may have been a type, and the statement with it.
        if (before === 'value' && !wasNewLine) {
          add(LIGHT)
          offset++
          before = 'operator'
        } else if (before === 'operator') {
          offset = endOfRegExp(text, offset)
          before = 'value'
        } else giveUpLine()
        break
      default:
        if (text.startsWith('<!--', offset) || text.startsWith('-->', offset)) {
          giveUpLine()
          break
        }
        if (text.startsWith('...', offset)) {
          offset += 3
          before = 'operator'
          break
        }
        if (character === '<') addSticky(ANGLE)
        else add(character === '=' || character === '?' || character === ':' ? HEAVY : LIGHT)
        before = character === '.' ? 'dot' : '+-!>'.includes(character) ? 'unclear' : 'operator'
        offset++
    }
  }
  return most
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
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
  const end = endOfLine(text, from)
  let isClass = false
  for (let offset = from + 1; offset < end; offset++) {
    const character = text[offset]
    if (character === '\\') offset++
    else if (character === '[') isClass = true
    else if (character === ']') isClass = false
    else if (character === '/' && !isClass) {
      WORD.lastIndex = offset + 1
      return offset + 1 + (WORD.exec(text)?.[0].length ?? 0)
    }
  }
  return end
}
