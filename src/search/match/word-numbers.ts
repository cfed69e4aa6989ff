// Numbers the words of a group of documents, in order of first occurrence. Nearly all words have occurred before, and most of
// them recently: those are recognised by their letters in the text, without making a string of them.
import { FOLDED } from '../text/characters.ts'
import { MAX_WORD } from '../text/split-word.ts'
import type { PlainToken } from '../text/tokenize.ts'

/** Entries for recent words, by their hash; each has its length and up to 31 letters. */
const ENTRY_BITS = 15
const ENTRY_SIZE = 32

export class WordNumbers {
  readonly words: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #recent = new Uint8Array(ENTRY_SIZE << ENTRY_BITS)
  readonly #letters = Buffer.alloc(MAX_WORD)
  readonly #recentNumbers = new Uint32Array(1 << ENTRY_BITS)

  /** Undefined for a word that has not occurred. */
  find(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  of(word: string): number {
    return this.#numbers.get(word) ?? this.#add(copyOf(word))
  }

  ofPlain(token: PlainToken): number {
    const entry = token.hash >>> (32 - ENTRY_BITS)
    if (this.#holds(entry * ENTRY_SIZE, token)) return this.#recentNumbers[entry]!
    const word = this.#textOf(token)
    const number = this.#numbers.get(word) ?? this.#add(word)
    if (word.length < ENTRY_SIZE) this.#keep(entry, word.length, number)
    return number
  }

  #add(word: string): number {
    const number = this.words.push(word) - 1
    this.#numbers.set(word, number)
    return number
  }

  #textOf({ codes, start, end }: PlainToken): string {
    for (let at = start; at < end; at++) this.#letters[at - start] = FOLDED[codes[at]!]!
    return this.#letters.toString('latin1', 0, end - start)
  }

  #holds(from: number, { codes, start, end }: PlainToken): boolean {
    const recent = this.#recent
    if (recent[from] !== end - start) return false
    for (let at = start, letter = from + 1; at < end; at++, letter++) {
      if (recent[letter] !== FOLDED[codes[at]!]) return false
    }
    return true
  }

  /** The letters are those of the token that was just read. */
  #keep(entry: number, length: number, number: number): void {
    this.#recentNumbers[entry] = number
    const from = entry * ENTRY_SIZE
    this.#recent[from] = length
    for (let at = 0; at < length; at++) this.#recent[from + 1 + at] = this.#letters[at]!
  }
}

/** A long slice keeps the whole text in memory; a copy does not. */
function copyOf(word: string): string {
  return word.length < 13 ? word : Buffer.from(word).toString()
}
