// Numbers the words of a group of documents, in order of first occurrence. Nearly all words have occurred
// before: those are recognised by their letters in the text, without making a string of them.
import { FOLDED } from '../text/characters.ts'
import { mixHash, type PlainToken } from '../text/tokenize.ts'

/**
 * How many slots are tried for a word. Words that someone made to collide are looked up by their text
 * instead.
 */
const MAX_TRIES = 32

/**
 * The fields of a slot, kept together because each look into distant memory takes longer than the rest. The
 * first is 1 + the word's number, or 0 in a free slot.
 */
const NUMBER = 0
const HASH = 1
/** Where the letters of the word begin. */
const START = 2
const LENGTH = 3
const SLOT = 4

const PLAIN = /^[\0-\x7f]*$/

export class WordNumbers {
  #slots = new Int32Array(SLOT << 10)
  /** The letters of all plain words, one after another. */
  #letters = Buffer.alloc(1 << 12)
  /**
   * Where each word begins; the last entry is where the next word will. A word that is not plain has no
   * letters there.
   */
  #starts = new Uint32Array(1 << 9)
  #count = 0
  /** The numbers of words that are not plain ASCII, and of those that collide. */
  readonly #others = new Map<string, number>()
  /** Those of them that have no letters in `#letters`, by number. */
  readonly #otherWords = new Map<number, string>()
  #collisions = 0

  /** How many words there are. */
  get count(): number {
    return this.#count
  }

  wordAt(number: number): string {
    const start = this.#starts[number]!
    const end = this.#starts[number + 1]!
    return start === end ? (this.#otherWords.get(number) ?? '') : this.#letters.toString('latin1', start, end)
  }

  /** Undefined for a word that has not occurred. */
  find(word: string): number | undefined {
    const slot = PLAIN.test(word) ? this.#slotOf(tokenOf(word)) : -1
    const number = slot === -1 ? 0 : this.#slots[slot + NUMBER]!
    return number === 0 ? this.#others.get(word) : number - 1
  }

  of(word: string): number {
    return PLAIN.test(word) ? this.ofPlain(tokenOf(word)) : this.#ofOther(word)
  }

  ofPlain(token: Readonly<PlainToken>): number {
    const slot = this.#slotOf(token)
    const number = slot === -1 ? 0 : this.#slots[slot + NUMBER]!
    if (number !== 0) return number - 1
    if (slot === -1) {
      this.#collisions++
      return this.#ofOther(textOf(token))
    }
    // It may have collided when there were fewer slots.
    const known = this.#collisions === 0 ? undefined : this.#others.get(textOf(token))
    return known ?? this.#add(token, slot)
  }

  #ofOther(word: string): number {
    const known = this.#others.get(word)
    if (known !== undefined) return known
    const number = this.#count++
    const copy = copyOf(word)
    this.#others.set(copy, number)
    this.#otherWords.set(number, copy)
    this.#end(this.#starts[number]!)
    return number
  }

  /** The slot of the word, or a free one where it may be put; -1 when all slots tried hold other words. */
  #slotOf({ codes, start, end, hash }: Readonly<PlainToken>): number {
    const slots = this.#slots
    const letters = this.#letters
    const mask = slots.length - 1
    let slot = firstSlot(hash) & mask
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (slots[slot + NUMBER] === 0) return slot
      if (slots[slot + HASH] === hash && slots[slot + LENGTH] === end - start) {
        let letter = slots[slot + START]!
        let at = start
        while (at < end && letters[letter] === fold(codes[at]!)) {
          at++
          letter++
        }
        if (at === end) return slot
      }
      slot = (slot + SLOT) & mask
    }
    return -1
  }

  #add({ codes, start, end, hash }: Readonly<PlainToken>, slot: number): number {
    const number = this.#count++
    const first = this.#starts[number]!
    let letter = first
    while (letter + end - start > this.#letters.length)
      this.#letters = Buffer.concat([this.#letters], 2 * this.#letters.length)
    for (let at = start; at < end; at++) this.#letters[letter++] = fold(codes[at]!)
    this.#end(letter)
    this.#slots[slot + NUMBER] = number + 1
    this.#slots[slot + HASH] = hash
    this.#slots[slot + START] = first
    this.#slots[slot + LENGTH] = letter - first
    if (2 * SLOT * this.#count > this.#slots.length) this.#spread()
    return number
  }

  /** Records where the letters of the last word end. */
  #end(letter: number): void {
    if (this.#count === this.#starts.length) {
      const longer = new Uint32Array(2 * this.#count)
      longer.set(this.#starts)
      this.#starts = longer
    }
    this.#starts[this.#count] = letter
  }

  /** Doubles the number of slots. */
  #spread(): void {
    const old = this.#slots
    this.#slots = new Int32Array(2 * old.length)
    const mask = this.#slots.length - 1
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + NUMBER] === 0) continue
      let slot = firstSlot(old[from + HASH]!) & mask
      let tries = 1
      for (; this.#slots[slot + NUMBER] !== 0 && tries < MAX_TRIES; tries++) slot = (slot + SLOT) & mask
      if (this.#slots[slot + NUMBER] === 0) {
        for (let at = 0; at < SLOT; at++) this.#slots[slot + at] = old[from + at]!
      } else {
        const number = old[from + NUMBER]! - 1
        this.#others.set(this.wordAt(number), number)
        this.#collisions++
      }
    }
  }
}

/** The word must be plain and folded. */
function tokenOf(word: string): PlainToken {
  const codes = new Uint16Array(word.length)
  let hash = 0
  for (let at = 0; at < word.length; at++) {
    codes[at] = word.charCodeAt(at)
    hash = mixHash(hash, codes[at]!)
  }
  return { codes, start: 0, end: word.length, hash }
}

function textOf({ codes, start, end }: Readonly<PlainToken>): string {
  return String.fromCharCode(...codes.subarray(start, end)).toLowerCase()
}

/** A long slice keeps the whole text in memory; a copy does not. */
function copyOf(word: string): string {
  return word.length < 13 ? word : Buffer.from(word).toString()
}

function fold(code: number): number {
  return FOLDED[code]! || code
}

/** The high bits of a product are the best mixed. */
function firstSlot(hash: number): number {
  return (hash ^ (hash >>> 15)) * SLOT
}
