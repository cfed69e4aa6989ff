// The words of a group of documents, as encoded postings: the inner loop of indexing. Occurrences go into flat arrays as
// they come, and are then sorted by word with a counting sort; no object is made for a word or a document.
import { SEARCH_FIELDS } from '../../../query/index.ts'
import { type EncodedList, ListEncoder } from '../../match/postings/encode-postings.ts'
import { MAX_POSITION, MAX_TEXT, placeOf, VALUE_GAP } from '../../match/postings/place.ts'
import type { SearchDocument } from '../../text/document.ts'
import { type PlainWord, scanTokens, type TokenKind } from '../../text/tokenize.ts'
import { WordNumbers } from './word-numbers.ts'

export class WordCollector {
  readonly #numbers = new WordNumbers()
  #size = 0
  /** For each occurrence: the word, the document, and the place. */
  #wordOf = new Uint32Array(1 << 16)
  #offsetOf = new Uint16Array(1 << 16)
  #placeOf = new Uint32Array(1 << 16)
  /** What is being read now. */
  #text = ''
  #offset = 0
  #field = 0
  #length = 0
  #afterPart = false

  get words(): readonly string[] {
    return this.#numbers.words
  }

  /** Adds one document and returns the lengths of its fields. Documents come in ascending order. */
  add(offset: number, document: SearchDocument): number[] {
    this.#offset = offset
    return SEARCH_FIELDS.map((name, field) => {
      this.#field = field
      this.#length = 0
      let from = 0
      for (const value of document.fields[name]) {
        const text = value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value
        this.#text = text
        from = scanTokens(text, this, from) + VALUE_GAP
      }
      return this.#length
    })
  }

  plain(word: PlainWord, position: number): void {
    this.#length++
    this.#afterPart = false
    this.#push(this.#numbers.ofPlain(this.#text, word), position)
  }

  token(token: string, position: number, kind: TokenKind): void {
    // A camelCase word counts as many words as it has parts, which follow it.
    if (kind === 'word' || (kind === 'part' && this.#afterPart)) this.#length++
    this.#afterPart = kind === 'part'
    this.#push(this.#numbers.of(token), position)
  }

  /** Visits the list of each word, in the given order of word numbers. */
  visitLists(order: ArrayLike<number>, visit: (word: number, list: EncodedList) => void): void {
    const starts = new Uint32Array(this.words.length + 1)
    for (let at = 0; at < this.#size; at++) starts[this.#wordOf[at]! + 1]!++
    for (let word = 0; word < this.words.length; word++) starts[word + 1]! += starts[word]!
    const next = starts.slice()
    const offsets = new Uint16Array(this.#size)
    const places = new Uint32Array(this.#size)
    for (let at = 0; at < this.#size; at++) {
      const to = next[this.#wordOf[at]!]!++
      offsets[to] = this.#offsetOf[at]!
      places[to] = this.#placeOf[at]!
    }
    const encoder = new ListEncoder()
    for (let index = 0; index < order.length; index++) {
      const word = order[index]!
      encoder.begin()
      for (let at = starts[word]!; at < starts[word + 1]!; at++) encoder.add(offsets[at]!, places[at]!)
      visit(word, encoder.finish())
    }
  }

  #push(word: number, position: number): void {
    if (position > MAX_POSITION) return
    if (this.#size === this.#wordOf.length) {
      this.#wordOf = grown(this.#wordOf, Uint32Array)
      this.#offsetOf = grown(this.#offsetOf, Uint16Array)
      this.#placeOf = grown(this.#placeOf, Uint32Array)
    }
    this.#wordOf[this.#size] = word
    this.#offsetOf[this.#size] = this.#offset
    this.#placeOf[this.#size++] = placeOf(this.#field, position)
  }
}

/** A copy of twice the length. */
function grown<Numbers extends Uint16Array | Uint32Array>(
  numbers: Numbers,
  make: new (length: number) => Numbers,
): Numbers {
  const larger = new make(numbers.length * 2)
  larger.set(numbers)
  return larger
}
