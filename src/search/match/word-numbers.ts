// Numbers the words of a group of documents, in order of first occurrence. Nearly all words have occurred before: those are recognised
// by their letters in the text, without making a string of them.
import { FOLDED } from '../text/characters.ts'
import { mixHash, type PlainToken } from '../text/tokenize.ts'

/** Slots that are tried for a word. Words that somebody made to collide are looked up by their text. */
const MAX_TRIES = 32

/** What a slot holds, together, since each look into memory far away takes longer than the rest: 1 + number, or 0 where it is free. */
const NUMBER = 0
const HASH = 1
/** Where the letters of the word are. */
const START = 2
const LENGTH = 3
const SLOT = 4

export class WordNumbers {
  #slots = new Int32Array(SLOT << 10)
  /** Of all words, one after another. */
  #letters = new Uint16Array(1 << 12)
  /** Where each word begins; the last one is where the next will. */
  #starts = new Uint32Array(1 << 9)
  #count = 0
  readonly #collided = new Map<string, number>()

  /** How many words there are. */
  get count(): number {
    return this.#count
  }

  wordAt(number: number): string {
    return textOf(this.#letters.subarray(this.#starts[number]!, this.#starts[number + 1]!))
  }

  /** Undefined for a word that has not occurred. */
  find(word: string): number | undefined {
    const slot = this.#slotOf(tokenOf(word))
    if (slot === -1) return this.#collided.get(word)
    return this.#slots[slot + NUMBER] === 0 ? undefined : this.#slots[slot + NUMBER]! - 1
  }

  of(word: string): number {
    return this.ofPlain(tokenOf(word))
  }

  ofPlain(token: Readonly<PlainToken>): number {
    const slot = this.#slotOf(token)
    if (slot === -1) return this.#collided.get(foldedText(token)) ?? this.#collide(token)
    const number = this.#slots[slot + NUMBER]!
    return number === 0 ? this.#add(token, slot) : number - 1
  }

  /** Where the word is, or where it may be put; -1 where too many others are. */
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

  #collide(token: Readonly<PlainToken>): number {
    const number = this.#keep(token)
    this.#collided.set(this.wordAt(number), number)
    return number
  }

  #add(token: Readonly<PlainToken>, slot: number): number {
    const number = this.#keep(token)
    this.#fill(slot, number, token.hash)
    if (2 * SLOT * this.#count > this.#slots.length) this.#spread()
    return number
  }

  #fill(slot: number, number: number, hash: number): void {
    const start = this.#starts[number]!
    this.#slots[slot + NUMBER] = number + 1
    this.#slots[slot + HASH] = hash
    this.#slots[slot + START] = start
    this.#slots[slot + LENGTH] = this.#starts[number + 1]! - start
  }

  /** Keeps the letters of a new word, and gives its number. */
  #keep({ codes, start, end }: Readonly<PlainToken>): number {
    const number = this.#count++
    let letter = this.#starts[number]!
    while (letter + end - start > this.#letters.length) this.#letters = doubled(this.#letters)
    for (let at = start; at < end; at++) this.#letters[letter++] = fold(codes[at]!)
    if (this.#count === this.#starts.length) this.#starts = doubled(this.#starts)
    this.#starts[this.#count] = letter
    return number
  }

  /** Makes room for as many words again. */
  #spread(): void {
    const old = this.#slots
    const collided = [...this.#collided]
    this.#slots = new Int32Array(2 * old.length)
    this.#collided.clear()
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + NUMBER] !== 0) this.#place(old[from + NUMBER]! - 1, old[from + HASH]!)
    }
    for (const [word, number] of collided) this.#place(number, tokenOf(word).hash)
  }

  #place(number: number, hash: number): void {
    const mask = this.#slots.length - 1
    let slot = firstSlot(hash) & mask
    for (let tries = 1; this.#slots[slot + NUMBER] !== 0 && tries < MAX_TRIES; tries++)
      slot = (slot + SLOT) & mask
    if (this.#slots[slot + NUMBER] === 0) this.#fill(slot, number, hash)
    else this.#collided.set(this.wordAt(number), number)
  }
}

/** Of a word that is folded. */
function tokenOf(word: string): PlainToken {
  const codes = new Uint16Array(word.length)
  let hash = 0
  for (let at = 0; at < word.length; at++) {
    codes[at] = word.charCodeAt(at)
    hash = mixHash(hash, codes[at]!)
  }
  return { codes, start: 0, end: word.length, hash }
}

function foldedText({ codes, start, end }: Readonly<PlainToken>): string {
  return textOf(codes.subarray(start, end).map(fold))
}

function textOf(codes: Uint16Array): string {
  // It takes whatever has a length and numbers.
  return String.fromCharCode.apply(null, codes as unknown as number[])
}

function fold(code: number): number {
  return FOLDED[code]! || code
}

/** The high bits of a product are the best mixed. */
function firstSlot(hash: number): number {
  return (hash ^ (hash >>> 15)) * SLOT
}

function doubled<Numbers extends Uint16Array | Uint32Array>(numbers: Numbers): Numbers {
  const make = numbers.constructor as new (length: number) => Numbers
  const larger = new make(numbers.length * 2)
  larger.set(numbers)
  return larger
}
