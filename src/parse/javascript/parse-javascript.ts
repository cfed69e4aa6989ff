// The only access to the JavaScript parser. The parser recurses, so a text nested too deep for the stack must
// end as a failure here, never as a crash. It reads JavaScript once. In TypeScript it sometimes goes back and
// reads again, in the worst case twice for each level of nesting, so it gets a text that counts how often its
// characters are read.
import { lazy } from '../../base/index.ts'
import type { Comment, Program } from './syntax-tree.ts'

export interface JavaScriptOptions {
  readonly language: 'javascript' | 'typescript'
  /** `unambiguous`: a module if it imports or exports, CommonJS if not. */
  readonly sourceType: 'module' | 'commonjs' | 'unambiguous'
}

export type ParsedJavaScript =
  | { readonly program: Program; readonly comments: readonly Comment[]; readonly failure?: undefined }
  | { readonly failure: JavaScriptFailure; readonly program?: undefined; readonly comments?: undefined }

export interface JavaScriptFailure {
  readonly code: 'javascript-syntax' | 'javascript-too-deep' | 'javascript-too-large'
  readonly message: string
  /** In UTF-16 code units of the text. */
  readonly offset: number
}

const loadBabel = lazy(() => import('@babel/parser'))

// The parser makes objects of what it reads, two microseconds for each word or mark: about half a second.
const MOST_PIECES = 250_000
// Characters of ordinary code are looked at 1.3 times, the densest 2.6. Only hostile text needs more.
const LOOKS_PER_CHARACTER = 4
const LEAST_LOOKS = 50_000

/** Never throws. */
export async function parseJavaScript(
  text: string,
  { language, sourceType }: JavaScriptOptions,
): Promise<ParsedJavaScript> {
  if (hasTooMany(text)) {
    const message = `expected at most ${MOST_PIECES} words and marks`
    return { failure: { code: 'javascript-too-large', message, offset: 0 } }
  }
  const { parse } = await loadBabel()
  try {
    // The parser accepts any object with the string methods that it uses.
    const source = language === 'typescript' ? (new MeteredText(text) as unknown as string) : text
    const { program, comments } = parse(source, {
      sourceType,
      plugins: [
        ...(language === 'typescript' ? (['typescript'] as const) : []),
        ...(['decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'] as const),
      ],
      attachComment: false,
      // Parentheses then belong to a node of their own, and its span includes them.
      createParenthesizedExpressions: true,
      // An export of an undeclared name loses only that name, not the whole file.
      allowUndeclaredExports: true,
      ...(sourceType === 'unambiguous' && { allowReturnOutsideFunction: true }),
    })
    return { program, comments: comments ?? [] }
  } catch (thrown) {
    return { failure: describeFailure(thrown) }
  }
}

function describeFailure(thrown: unknown): JavaScriptFailure {
  if (thrown instanceof TooManyLooks) {
    const message = 'expected code that the parser can read with less backtracking'
    return { code: 'javascript-too-large', message, offset: 0 }
  }
  if (thrown instanceof RangeError) {
    return {
      code: 'javascript-too-deep',
      message: 'expected less nesting, or shorter expressions',
      offset: 0,
    }
  }
  if (!(thrown instanceof SyntaxError) || !('pos' in thrown)) throw thrown
  // For syntax that we do not enable (JSX, proposals), the parser's message names the missing plugin.
  const reason =
    'missingPlugin' in thrown ? 'unexpected syntax' : thrown.message.replace(/\.? \(\d+:\d+\)$/, '')
  const message = reason.charAt(0).toLowerCase() + reason.slice(1)
  return { code: 'javascript-syntax', message, offset: Number(thrown.pos) }
}

/** Whether there are more than `MOST_PIECES` words and marks, including those in strings and comments. */
function hasTooMany(text: string): boolean {
  const piece = /(?:[\w$]|[^\s\0-\x7f])+|\S/g
  let count = 0
  while (piece.test(text)) if (++count > MOST_PIECES) return true
  return false
}

class TooManyLooks extends Error {}

/**
 * The part of a string's interface that the parser uses. Does not extend `String`: a subclass with other
 * methods makes every string in the process slow.
 */
class MeteredText {
  [index: number]: string
  readonly length: number
  readonly #text: string
  #looks: number

  constructor(text: string) {
    this.length = text.length
    this.#text = text
    this.#looks = text.length * LOOKS_PER_CHARACTER + LEAST_LOOKS
    // The parser reads by index only where a part of a template begins.
    if (text.includes('`')) for (const { 0: mark, index } of text.matchAll(/[`}]/g)) this[index] = mark
  }

  charCodeAt(index: number): number {
    if (this.#looks-- <= 0) throw new TooManyLooks()
    return this.#text.charCodeAt(index)
  }

  codePointAt(index: number): number | undefined {
    if (this.#looks-- <= 0) throw new TooManyLooks()
    return this.#text.codePointAt(index)
  }

  slice(start: number, end?: number): string {
    return this.#text.slice(start, end)
  }

  indexOf(wanted: string, from?: number): number {
    return this.#text.indexOf(wanted, from)
  }

  startsWith(wanted: string, at?: number): boolean {
    return this.#text.startsWith(wanted, at)
  }

  /** Used by regular expressions. */
  toString(): string {
    return this.#text
  }
}
