// Numbers words in order of first occurrence. Nearly all words are short, ASCII, and have occurred before: those are recognised by their
// letters where they stand in a text, without making a string of them. What takes the time is getting to
// a word in memory, so little is looked at before its letters.
import { LOWERED } from './characters.ts'
import { hashOf, type TokenList } from './token-list.ts'

/** Bytes of an entry: the length of a word, and up to 31 letters. */
const ENTRY_BITS = 5
const ENTRY = 1 << ENTRY_BITS
const MOST_LETTERS = ENTRY - 1
/** A slot has 1 + number in its low bits, and some of the hash above them; 0 is free. */
const NUMBER_BITS = 20
const NUMBER_MASK = (1 << NUMBER_BITS) - 1
/** Words that are made to collide go into a `Map` where so many others are in their way: nobody can make looking them up slow. */
const MAX_PROBES = 64
const ASCII_ONLY = /^[\0-\x7f]*$/

export class WordNumbers {
  #slots = new Uint32Array(1 << 13)
  /** By number. Frequent words come early, and so lie close together. */
  #entries = new Uint8Array(ENTRY << 12)
  readonly #others = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** By number. */
  words(): string[] {
    const bytes = Buffer.from(this.#entries.buffer)
    const words = Array.from({ length: this.#size }, (_, number) => {
      const start = (number << ENTRY_BITS) + 1
      return bytes.toString('latin1', start, start + (bytes[start - 1] ?? 0))
    })
    for (const [word, number] of this.#others) words[number] = word
    return words
  }

  /** Of a token of a text. */
  ofToken(tokens: TokenList, index: number, text: string): number {
    const start = tokens.starts[index]!
    if (start < 0) return this.of(tokens.textOf(index, text))
    return this.#ofSpan(text, start, tokens.ends[index]!, tokens.hashes[index]!)
  }

  of(word: string): number {
    if (word.length <= MOST_LETTERS && ASCII_ONLY.test(word))
      return this.#ofSpan(word, 0, word.length, hashOf(word, 0, word.length))
    return this.#others.get(word) ?? this.#addOther(word)
  }

  /** Of ASCII text, in lower case. */
  #ofSpan(text: string, start: number, end: number, hash: number): number {
    const length = end - start
    if (length > MOST_LETTERS) return this.of(text.slice(start, end).toLowerCase())
    const slots = this.#slots
    const entries = this.#entries
    const lowered = LOWERED
    const mask = slots.length - 1
    const tag = hash >>> NUMBER_BITS
    let slot = spread(hash) & mask
    for (let probe = 0; probe < MAX_PROBES; probe++, slot = (slot + 1) & mask) {
      const found = slots[slot]!
      if (found === 0) break
      if (found >>> NUMBER_BITS !== tag) continue
      const number = (found & NUMBER_MASK) - 1
      let letter = number << ENTRY_BITS
      if (entries[letter] !== length) continue
      let at = start
      while (at < end && entries[++letter] === lowered[text.charCodeAt(at)]) at++
      if (at === end) return number
    }
    const word = text.slice(start, end).toLowerCase()
    return this.#others.get(word) ?? this.#add(word, hash)
  }

  #addOther(word: string): number {
    this.#others.set(word, this.#size)
    return this.#next()
  }

  #add(word: string, hash: number): number {
    if (this.#size === NUMBER_MASK - 1) return this.#addOther(word)
    // At most three quarters full, so that most words are found at once.
    if (4 * this.#size >= 3 * this.#slots.length) this.#enlarge()
    const number = this.#next()
    let to = number << ENTRY_BITS
    this.#entries[to] = word.length
    for (let at = 0; at < word.length; at++) this.#entries[++to] = word.charCodeAt(at)
    if (!this.#put(number, hash)) this.#others.set(word, number)
    return number
  }

  /** A new number, with an empty entry. */
  #next(): number {
    const number = this.#size++
    if (this.#size <= NUMBER_MASK && this.#entries.length < this.#size << ENTRY_BITS) {
      const entries = new Uint8Array(this.#entries.length * 2)
      entries.set(this.#entries)
      this.#entries = entries
    }
    return number
  }

  #enlarge(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length)
    this.words().forEach((word, number) => {
      const isTabled = this.#entries[number << ENTRY_BITS] !== 0
      if (isTabled && !this.#put(number, hashOf(word, 0, word.length))) this.#others.set(word, number)
    })
  }

  /** False if there is no free slot where it would be looked for. */
  #put(number: number, hash: number): boolean {
    const mask = this.#slots.length - 1
    let slot = spread(hash) & mask
    for (let probe = 0; probe < MAX_PROBES; probe++, slot = (slot + 1) & mask) {
      if (this.#slots[slot] !== 0) continue
      this.#slots[slot] = ((hash >>> NUMBER_BITS) << NUMBER_BITS) | (number + 1)
      return true
    }
    return false
  }
}

/** The high bits of a product are the best mixed. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}
