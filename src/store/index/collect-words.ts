// The words of a group of documents, as encoded lists: the inner loop of indexing. Occurrences of all documents go into flat
// arrays as they come, then are sorted by word by counting; no object is made for a word or for a document.
import { SEARCH_FIELDS } from '../../query/index.ts'
import { MAX_POSITION, placeOf, type SearchDocument, VALUE_GAP, visitTokens } from '../../search/index.ts'
import { type EncodedList, ListEncoder } from './posting-codec.ts'

/** A body past this is searched by its beginning. */
const MAX_TEXT = 4_000_000

export class WordCollector {
  readonly #numbers = new Map<string, number>()
  readonly words: string[] = []
  #size = 0
  /** Of each occurrence: its word, its document, its field and position. */
  #wordOf = new Uint32Array(1 << 16)
  #offsetOf = new Uint16Array(1 << 16)
  #placeOf = new Uint32Array(1 << 16)

  /** Reads one document; documents come in ascending order. Returns the lengths of its fields and its distinct words. */
  add(offset: number, document: SearchDocument): { lengths: number[]; words: Uint32Array } {
    const begin = this.#size
    const lengths = SEARCH_FIELDS.map((name, field) => {
      let length = 0
      let camel = false
      let from = 0
      for (const value of document.fields[name]) {
        const text = value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value
        const end = visitTokens(
          text,
          (token, position, kind) => {
            // A camelCase word is as long as its parts, which follow it.
            if (kind === 'word' || (kind === 'part' && camel)) length++
            camel = kind === 'part'
            if (position <= MAX_POSITION) this.#push(token, offset, placeOf(field, position))
          },
          from,
        )
        from = end + VALUE_GAP
      }
      return length
    })
    return { lengths, words: distinct(this.#wordOf.slice(begin, this.#size)) }
  }

  /** Visits the list of every word; the bytes are only lent. `order` says in which order, by word number. */
  visitLists(order: ArrayLike<number>, visit: (word: number, list: EncodedList) => void): void {
    const starts = new Uint32Array(this.words.length + 1)
    for (let at = 0; at < this.#size; at++) starts[this.#wordOf[at]! + 1]!++
    for (let word = 0; word < this.words.length; word++) starts[word + 1]! += starts[word]!
    const next = starts.slice()
    const sorted = new Uint32Array(this.#size)
    for (let at = 0; at < this.#size; at++) sorted[next[this.#wordOf[at]!]!++] = at
    const encoder = new ListEncoder()
    for (let index = 0; index < order.length; index++) {
      const word = order[index]!
      encoder.begin()
      for (let at = starts[word]!; at < starts[word + 1]!; at++) {
        const occurrence = sorted[at]!
        encoder.add(this.#offsetOf[occurrence]!, this.#placeOf[occurrence]!)
      }
      visit(word, encoder.finish())
    }
  }

  #push(token: string, offset: number, place: number): void {
    let word = this.#numbers.get(token)
    if (word === undefined) {
      word = this.words.push(token) - 1
      this.#numbers.set(token, word)
    }
    if (this.#size === this.#wordOf.length) this.#grow()
    this.#wordOf[this.#size] = word
    this.#offsetOf[this.#size] = offset
    this.#placeOf[this.#size++] = place
  }

  #grow(): void {
    const larger = this.#size * 2
    const words = new Uint32Array(larger)
    words.set(this.#wordOf)
    this.#wordOf = words
    const offsets = new Uint16Array(larger)
    offsets.set(this.#offsetOf)
    this.#offsetOf = offsets
    const places = new Uint32Array(larger)
    places.set(this.#placeOf)
    this.#placeOf = places
  }
}

function distinct(words: Uint32Array): Uint32Array {
  words.sort()
  let size = 0
  for (let at = 0; at < words.length; at++)
    if (at === 0 || words[at] !== words[at - 1]) words[size++] = words[at]!
  return words.subarray(0, size)
}
