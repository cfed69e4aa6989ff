// Numbers the words of a group of documents, in order of first occurrence. Nearly all words have occurred before: those are recognised
// by their letters in the text, without making a string of them.
import { FOLDED } from '../text/characters.ts'
import { mixHash, type PlainToken } from '../text/tokenize.ts'

/** Slots that are tried for a word. Words that somebody made to collide are looked up by their text. */
const MAX_TRIES = 32

export class WordNumbers {
  /** Of all words, one after another. */
  #letters = new Uint16Array(1 << 12)
  /** Where each word begins; the last one is where the next will. */
  #starts = new Uint32Array(1 << 9)
  #hashes = new Int32Array(1 << 9)
  /** 1 + number, by hash; 0 is free. */
  #slots = new Uint32Array(1 << 10)
  readonly #collided = new Map<string, number>()
  #count = 0

  /** How many words there are. */
  get count(): number {
    return this.#count
  }

  wordAt(number: number): string {
    return textOf(this.#letters.subarray(this.#starts[number]!, this.#starts[number + 1]!))
  }

  /** Undefined for a word that has not occurred. */
  find(word: string): number | undefined {
    const codes = codesOf(word)
    const slot = this.#slotOf({ codes, start: 0, end: codes.length, hash: hashOf(codes) })
    if (slot === -1) return this.#collided.get(word)
    return this.#slots[slot] === 0 ? undefined : this.#slots[slot]! - 1
  }

  of(word: string): number {
    const codes = codesOf(word)
    return this.ofPlain({ codes, start: 0, end: codes.length, hash: hashOf(codes) })
  }

  ofPlain(token: Readonly<PlainToken>): number {
    const slot = this.#slotOf(token)
    const known = slot === -1 ? this.#collided.get(foldedText(token)) : this.#slots[slot]! - 1
    return known === undefined || known === -1 ? this.#add(token, slot) : known
  }

  /** Where the word is, or where it may be put; -1 where too many others are. */
  #slotOf({ codes, start, end, hash }: Readonly<PlainToken>): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = spread(hash) & mask
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const number = slots[slot]! - 1
      if (number === -1) return slot
      if (this.#hashes[number] === hash && this.#isWord(number, codes, start, end)) return slot
      slot = (slot + 1) & mask
    }
    return -1
  }

  #isWord(number: number, codes: Uint16Array, start: number, end: number): boolean {
    let letter = this.#starts[number]!
    if (this.#starts[number + 1]! - letter !== end - start) return false
    for (let at = start; at < end; at++, letter++) {
      if (this.#letters[letter] !== fold(codes[at]!)) return false
    }
    return true
  }

  #add(token: Readonly<PlainToken>, slot: number): number {
    const number = this.#count
    this.#keep(token)
    if (slot === -1) this.#collided.set(this.wordAt(number), number)
    else this.#slots[slot] = number + 1
    if (2 * this.#count > this.#slots.length) this.#spreadOut()
    return number
  }

  #keep({ codes, start, end, hash }: Readonly<PlainToken>): void {
    let letter = this.#starts[this.#count]!
    while (letter + end - start > this.#letters.length) this.#letters = doubled(this.#letters)
    for (let at = start; at < end; at++) this.#letters[letter++] = fold(codes[at]!)
    this.#hashes[this.#count++] = hash
    if (this.#count === this.#hashes.length) {
      this.#hashes = doubled(this.#hashes)
      this.#starts = doubled(this.#starts)
    }
    this.#starts[this.#count] = letter
  }

  #spreadOut(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length)
    this.#collided.clear()
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.#count; number++) {
      let slot = spread(this.#hashes[number]!) & mask
      let tries = 0
      while (this.#slots[slot] !== 0 && tries++ < MAX_TRIES) slot = (slot + 1) & mask
      if (tries < MAX_TRIES) this.#slots[slot] = number + 1
      else this.#collided.set(this.wordAt(number), number)
    }
  }
}

function codesOf(word: string): Uint16Array {
  const codes = new Uint16Array(word.length)
  for (let at = 0; at < word.length; at++) codes[at] = word.charCodeAt(at)
  return codes
}

/** As the hash of a token. */
function hashOf(codes: Uint16Array): number {
  let hash = 0
  for (const code of codes) hash = mixHash(hash, code)
  return hash
}

function foldedText({ codes, start, end }: Readonly<PlainToken>): string {
  return textOf(codes.subarray(start, end).map(fold))
}

function textOf(codes: Uint16Array): string {
  return String.fromCharCode.apply(null, codes as unknown as number[])
}

function fold(code: number): number {
  return FOLDED[code]! || code
}

/** The high bits of a product are the best mixed. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

function doubled<Numbers extends Uint16Array | Uint32Array | Int32Array>(numbers: Numbers): Numbers {
  const make = numbers.constructor as new (length: number) => Numbers
  const larger = new make(numbers.length * 2)
  larger.set(numbers)
  return larger
}
