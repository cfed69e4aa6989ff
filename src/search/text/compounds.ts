// Words joined by `_`, `-` or `.`, such as `read_file.py`, which are tokens besides their words.
import { foldWord } from './fold.ts'
import { MAX_WORD } from './split-word.ts'
import { COMPOUND, type TokenList } from './token-list.ts'

const DOT = 46
const HYPHEN = 45
const UNDERSCORE = 95

/** Whether words with this character between them are joined; false for none. */
export function isJoint(code: number): boolean {
  return code === DOT || code === HYPHEN || code === UNDERSCORE
}

/** Takes the words of a text in order, and adds `a_b` and `a_b.c` to the tokens when they end. */
export class CompoundTracker {
  readonly #text: string
  readonly #tokens: TokenList
  /** Words joined by `_` or `-`. */
  #innerStart = -1
  #innerPosition = 0
  #innerWords = 0
  /** The same, joined by `.` as well. */
  #outerStart = -1
  #outerPosition = 0
  #hasDot = false
  /** Where the last word ended; -1 after a gap. */
  #end = -1

  /** Whether all words since the last gap are. */
  #isAscii = true

  constructor(text: string, tokens: TokenList) {
    this.#text = text
    this.#tokens = tokens
  }

  /** Whether the next word may be joined to what there is; one that comes later ends it. */
  get isOpen(): boolean {
    return this.#end !== -1
  }

  /** A word that stands alone may be left out while nothing is open. */
  add(start: number, end: number, position: number, isAscii: boolean): void {
    const joint = this.#end !== -1 && start - this.#end === 1 ? this.#text.charCodeAt(this.#end) : 0
    if (joint === DOT) {
      this.#flushInner()
      this.#hasDot = true
    } else if (joint !== UNDERSCORE && joint !== HYPHEN) this.flush()
    if (this.#outerStart === -1) {
      this.#outerStart = start
      this.#outerPosition = position
    }
    if (this.#innerStart === -1) {
      this.#innerStart = start
      this.#innerPosition = position
    }
    this.#innerWords++
    this.#end = end
    if (!isAscii) this.#isAscii = false
  }

  flush(): void {
    if (this.#end === -1) return
    this.#flushInner()
    if (this.#hasDot) this.#addFrom(this.#outerStart, this.#outerPosition)
    this.#outerStart = -1
    this.#hasDot = false
    this.#isAscii = true
    this.#end = -1
  }

  #flushInner(): void {
    if (this.#innerWords > 1) this.#addFrom(this.#innerStart, this.#innerPosition)
    this.#innerStart = -1
    this.#innerWords = 0
  }

  #addFrom(start: number, position: number): void {
    if (this.#end - start > MAX_WORD) return
    if (this.#isAscii) this.#tokens.addPart(this.#text, start, this.#end, position, COMPOUND)
    else this.#tokens.addText(foldWord(this.#text.slice(start, this.#end)), position, COMPOUND)
  }
}
