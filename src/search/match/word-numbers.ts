// Numbers the words of a group of documents, in order of first occurrence. Nearly all words have occurred before, and most of
// them recently: those are recognised by their letters in the text, without making a string of them.
import type { PlainWord } from '../text/tokenize.ts'

/** Entries for recent words, by their hash; each has its length and up to 15 letters. */
const ENTRY_BITS = 16
const ENTRY_SIZE = 16

export class WordNumbers {
  readonly words: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #recent = new Uint8Array(ENTRY_SIZE << ENTRY_BITS)
  readonly #recentNumbers = new Uint32Array(1 << ENTRY_BITS)

  /** Undefined for a word that has not occurred. */
  find(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  of(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const own = copyOf(word)
    const number = this.words.push(own) - 1
    this.#numbers.set(own, number)
    return number
  }

  ofPlain(text: string, word: PlainWord): number {
    const entry = word.hash >>> (32 - ENTRY_BITS)
    if (this.#holds(entry * ENTRY_SIZE, text, word)) return this.#recentNumbers[entry]!
    const number = this.of(text.slice(word.start, word.end))
    if (word.end - word.start < ENTRY_SIZE) this.#keep(entry, text, word, number)
    return number
  }

  #holds(from: number, text: string, { start, end }: PlainWord): boolean {
    const recent = this.#recent
    if (recent[from] !== end - start) return false
    for (let at = start, letter = from + 1; at < end; at++, letter++) {
      if (recent[letter] !== text.charCodeAt(at)) return false
    }
    return true
  }

  #keep(entry: number, text: string, { start, end }: PlainWord, number: number): void {
    this.#recentNumbers[entry] = number
    let to = entry * ENTRY_SIZE
    this.#recent[to] = end - start
    for (let at = start; at < end; at++) this.#recent[++to] = text.charCodeAt(at)
  }
}

/** A long slice keeps the whole text in memory; a copy does not. */
function copyOf(word: string): string {
  return word.length < 13 ? word : Buffer.from(word).toString()
}
