// The words of a group of documents, as encoded postings: the inner loop of indexing. Occurrences go into flat arrays as
// they come, and are then sorted by word with a counting sort; no object is made for a word or a document.
import { type EncodedList, ListEncoder } from '../../match/postings/encode-postings.ts'
import { WordNumbers } from '../../match/word-numbers.ts'
import { WordScanner } from '../../match/word-scanner.ts'
import type { SearchDocument } from '../../text/document.ts'

export class WordCollector extends WordScanner {
  #size = 0
  /** For each occurrence: the word, the document, and the place. */
  #wordOf = new Uint32Array(1 << 16)
  #offsetOf = new Uint16Array(1 << 16)
  #placeOf = new Uint32Array(1 << 16)
  #offset = 0

  constructor() {
    super(new WordNumbers())
  }

  get words(): readonly string[] {
    return this.numbers.words
  }

  /** Adds one document and returns the lengths of its fields. Documents come in ascending order. */
  add(offset: number, document: SearchDocument): number[] {
    this.#offset = offset
    return this.scan(document)
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

  protected push(word: number, place: number): void {
    if (this.#size === this.#wordOf.length) {
      this.#wordOf = grown(this.#wordOf, Uint32Array)
      this.#offsetOf = grown(this.#offsetOf, Uint16Array)
      this.#placeOf = grown(this.#placeOf, Uint32Array)
    }
    this.#wordOf[this.#size] = word
    this.#offsetOf[this.#size] = this.#offset
    this.#placeOf[this.#size++] = place
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
