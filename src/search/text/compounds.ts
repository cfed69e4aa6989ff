// Words joined by `_`, `-` or `.`, such as `read_file.py`. The whole is a token in addition to its words.
import { MAX_WORD } from './split-word.ts'

const DOT = 46
const HYPHEN = 45
const UNDERSCORE = 95

type EmitCompound = (start: number, end: number, position: number) => void

/** Takes the words of a text in order, and emits where `a_b` and `a_b.c` begin and end. */
export class CompoundTracker {
  readonly #emit: EmitCompound
  #codes: Uint16Array = new Uint16Array()
  /** The current run of words joined by `_` or `-`. */
  #innerStart = -1
  #innerPosition = 0
  #innerWords = 0
  /** The current run of words joined by `_`, `-` or `.`. */
  #outerStart = -1
  #outerPosition = 0
  #hasDot = false
  /** Where the last word ended; -1 after a gap. */
  #end = -1

  constructor(emit: EmitCompound) {
    this.#emit = emit
  }

  /** Must be called before the words of a text are added. A zero must follow the codes of the text. */
  begin(codes: Uint16Array): void {
    this.#codes = codes
  }

  add(start: number, end: number, position: number): void {
    const joint = this.#end !== -1 && start - this.#end === 1 ? this.#codes[this.#end]! : 0
    if (joint === DOT) {
      this.#flushInner()
      this.#hasDot = true
    } else if (joint !== UNDERSCORE && joint !== HYPHEN) this.flush()
    // Most words are not joined to another.
    if (this.#end === -1 && !isJoint(this.#codes[end]!)) return
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
  }

  flush(): void {
    if (this.#end === -1) return
    this.#flushInner()
    if (this.#hasDot) this.#emitFrom(this.#outerStart, this.#outerPosition)
    this.#outerStart = -1
    this.#hasDot = false
    this.#end = -1
  }

  #flushInner(): void {
    if (this.#innerWords > 1) this.#emitFrom(this.#innerStart, this.#innerPosition)
    this.#innerStart = -1
    this.#innerWords = 0
  }

  #emitFrom(start: number, position: number): void {
    if (this.#end - start <= MAX_WORD) this.#emit(start, this.#end, position)
  }
}

function isJoint(code: number): boolean {
  return code === UNDERSCORE || code === HYPHEN || code === DOT
}
