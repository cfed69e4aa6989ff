// Splits text into words: runs of letters, digits and marks, folded. Each takes one position, so that phrases
// and proximity count words as a reader does: `file-system` is two words, `GitHub` is one. Identifiers add
// tokens at the position of their first word: the parts of `getUserName`, and `file-system` or `read_file.py`
// as written. In scripts without spaces each character is a word, and two neighbours are a pair.
// Changing what is emitted, taken from an item (`document.ts`) or shown of it (`preview.ts`) changes every
// index: raise ANALYSIS_VERSION with it.
import {
  codePointAt,
  FOLDED,
  isCapital,
  isInWord,
  isLetterOrDigit,
  isUnspaced,
  lengthOf,
} from './characters.ts'
import { CompoundTracker } from './compounds.ts'
import { foldWord } from './fold.ts'
import { camelParts, cutWord, MAX_WORD, splitUnspaced, visitCamel } from './split-word.ts'

export const ANALYSIS_VERSION = 6

/**
 * Raise with every change to tokens, stop words or stems of ASCII text. The rows of the built-in model are
 * for the words of one version; with any other version it is switched off.
 */
export const WORDS_VERSION = 4

/**
 * `word`: as written; `part`: a piece of a camelCase word; `compound`: words with their joints,
 * `thread_directive`; `pair`: two characters of a script without spaces, at the position of the first.
 */
export type TokenKind = 'word' | 'part' | 'compound' | 'pair'

export type TokenVisitor = (text: string, position: number, kind: TokenKind) => void

/**
 * An ASCII token, as most are. It can be looked up without making a string of it. Its letters may be of
 * either case.
 */
export interface PlainToken {
  /** The codes of the whole text, and a zero after them. */
  codes: Uint16Array
  start: number
  end: number
  /** The hash of its folded letters: equal tokens have equal hashes. */
  hash: number
}

export interface TokenSink {
  /** The object is reused for the next token. */
  plain(token: Readonly<PlainToken>, position: number, kind: TokenKind): void
  token(token: string, position: number, kind: TokenKind): void
}

/** Visits every token of a text; positions begin at `from`. Returns the position after the last word. */
export function visitTokens(text: string, visit: TokenVisitor, from = 0): number {
  const plain: TokenSink['plain'] = ({ codes, start, end }, position, kind) =>
    visit(String.fromCharCode(...codes.subarray(start, end)).toLowerCase(), position, kind)
  return new TokenScanner({ plain, token: visit }).scan(text, from)
}

/** Mixes one more folded letter into a hash. */
export function mixHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x9e3779b1)
}

/** Does the same for one text after another, without making a string of every token. */
export class TokenScanner {
  readonly #sink: TokenSink
  readonly #compounds: CompoundTracker
  readonly #word: PlainToken
  /** The part or the compound that is being emitted. */
  readonly #inner: PlainToken
  /**
   * The codes of the text, and a zero after them. Reading a number is faster than reading a character of a
   * text.
   */
  #codes = new Uint16Array(256)
  #text = ''
  #position = 0

  constructor(sink: TokenSink) {
    this.#sink = sink
    this.#word = { codes: this.#codes, start: 0, end: 0, hash: 0 }
    this.#inner = { codes: this.#codes, start: 0, end: 0, hash: 0 }
    this.#compounds = new CompoundTracker((start, end, position) =>
      this.#emitInner(start, end, position, 'compound'),
    )
  }

  /** Returns the position after the last word. */
  scan(text: string, from = 0): number {
    this.#read(text)
    this.#position = from
    const codes = this.#codes
    const end = text.length
    let at = 0
    while (at < end) {
      const code = codes[at]!
      if (code < 128) {
        at = FOLDED[code] === 0 ? at + 1 : this.#scanWord(at)
        continue
      }
      const codePoint = codePointAt(codes, at)
      at = isLetterOrDigit(codePoint) ? this.#scanRun(at) : at + lengthOf(codePoint)
    }
    this.#compounds.flush()
    this.#text = ''
    return this.#position
  }

  #read(text: string): void {
    if (this.#codes.length <= text.length) {
      this.#codes = new Uint16Array(2 * text.length)
      this.#word.codes = this.#codes
      this.#inner.codes = this.#codes
    }
    Buffer.from(this.#codes.buffer).write(text, 'utf16le')
    this.#codes[text.length] = 0
    this.#text = text
    this.#compounds.begin(this.#codes)
  }

  /** Reads a word of ASCII letters and digits, or any word that begins as one. Returns where it ends. */
  #scanWord(start: number): number {
    const codes = this.#codes
    let hash = 0
    let capitals = 0
    let end = start
    for (; ; end++) {
      const code = codes[end]!
      if (code > 127) {
        if (isInWord(codePointAt(codes, end))) return this.#scanRun(start)
        break
      }
      const folded = FOLDED[code]!
      if (folded === 0) break
      if (folded !== code) capitals++
      hash = mixHash(hash, folded)
    }
    if (end - start > MAX_WORD) return this.#scanRun(start)
    const word = this.#word
    word.start = start
    word.end = end
    word.hash = hash
    this.#compounds.add(start, end, this.#position)
    this.#sink.plain(word, this.#position, 'word')
    if (capitals > 0 && mayBeCamel(word, capitals)) this.#emitParts(start, end)
    this.#position++
    return end
  }

  #emitParts(start: number, end: number): void {
    visitCamel(this.#codes, start, end, (from, to) => this.#emitInner(from, to, this.#position, 'part'))
  }

  #emitInner(start: number, end: number, position: number, kind: TokenKind): void {
    const token = this.#inner
    token.hash = 0
    for (let at = start; at < end; at++) {
      const code = token.codes[at]!
      if (code > 127) {
        this.#sink.token(foldWord(this.#text.slice(start, end)), position, kind)
        return
      }
      // Compounds have joints, which have no folded form.
      token.hash = mixHash(token.hash, FOLDED[code]! || code)
    }
    token.start = start
    token.end = end
    this.#sink.plain(token, position, kind)
  }

  /** Reads a word of any letters, digits and marks. Returns where it ends. */
  #scanRun(start: number): number {
    const { end, hasUnspaced } = this.#findRun(start)
    const written = this.#text.slice(start, end)
    if (hasUnspaced) {
      this.#compounds.flush()
      this.#emitUnspaced(foldWord(written))
      return end
    }
    this.#compounds.add(start, end, this.#position)
    this.#sink.token(cutWord(foldWord(written)), this.#position, 'word')
    for (const part of camelParts(written)) this.#sink.token(part, this.#position, 'part')
    this.#position++
    return end
  }

  #findRun(start: number): { readonly end: number; readonly hasUnspaced: boolean } {
    let end = start
    let hasUnspaced = false
    while (true) {
      const codePoint = codePointAt(this.#codes, end)
      if (codePoint < 128) {
        if (FOLDED[codePoint] === 0) break
      } else if (!isInWord(codePoint)) break
      else if (isUnspaced(codePoint)) hasUnspaced = true
      end += lengthOf(codePoint)
    }
    return { end, hasUnspaced }
  }

  #emitUnspaced(run: string): void {
    const units = splitUnspaced(run)
    for (const [at, { text, isUnspaced: isOwn }] of units.entries()) {
      this.#sink.token(text, this.#position, 'word')
      const next = units[at + 1]
      if (isOwn && next?.isUnspaced) this.#sink.token(cutWord(text + next.text), this.#position, 'pair')
      this.#position++
    }
  }
}

const SMALL_S = 115

/** Whether a word with this many capitals may have parts. */
function mayBeCamel({ codes, start, end }: PlainToken, capitals: number): boolean {
  const others = end - start - capitals
  const isCapitalized = capitals === 1 && isCapital(codes[start]!)
  // `APIs` has no parts: they would be `AP` and `Is`.
  const isPlural = others === 1 && codes[end - 1] === SMALL_S
  return others > 0 && !isCapitalized && !isPlural
}
