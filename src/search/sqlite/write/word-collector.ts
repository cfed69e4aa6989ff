// The words of a group of documents, as encoded postings: the inner loop of indexing. Occurrences go into flat arrays as
// they come. From time to time they are sorted by word with a counting sort, and encoded: that takes a fifth of the memory. No object
// is made for a word or a document.
import { SEARCH_FIELDS } from '../../../query/index.ts'
import { ListEncoder } from '../../match/postings/encode-postings.ts'
import { WordNumbers } from '../../match/word-numbers.ts'
import { WordScanner } from '../../match/word-scanner.ts'
import type { SearchDocument } from '../../text/document.ts'
import type { JoinedList } from '../short-lists.ts'

/** Occurrences that are encoded together, with the rest of the last document. */
const RUN = 1 << 19

/** One list of bytes for each word: it is between its end and that of the word before it. */
interface Lists {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

/** The occurrences in the content of a document. */
export interface KnownContent {
  readonly words: Uint32Array
  readonly places: Uint32Array
  readonly length: number
}

const CONTENT = SEARCH_FIELDS.indexOf('content')

export class WordCollector extends WordScanner {
  /** Of some documents each, one after another. */
  readonly #heads: Lists[] = []
  readonly #places: Lists[] = []
  #size = 0
  /** For each occurrence: the word, the document, and the place. */
  #wordOf = new Uint32Array(1 << 14)
  #offsetOf = new Uint16Array(1 << 14)
  #placeOf = new Uint32Array(1 << 14)
  #offset = 0
  readonly #encoder = new ListEncoder()
  readonly #sorted: Sorted = {
    ends: new Uint32Array(),
    offsets: new Uint16Array(),
    places: new Uint32Array(),
  }
  /** Of the document that is being read. */
  #known: KnownContent | undefined
  #content: KnownContent = { words: new Uint32Array(), places: new Uint32Array(), length: 0 }

  constructor() {
    super(new WordNumbers())
  }

  /** Of the lists so far. */
  get bytes(): number {
    return [...this.#heads, ...this.#places].reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /** Forgets all documents, and keeps the numbers of words. */
  clear(): void {
    this.#heads.length = 0
    this.#places.length = 0
    this.#size = 0
  }

  /** Adds one document and returns the lengths of its fields. Documents come in ascending order. */
  add(offset: number, document: SearchDocument, content?: KnownContent): number[] {
    this.#offset = offset
    this.#known = content
    const lengths = this.scan(document)
    if (this.#size >= RUN) this.#encode()
    return lengths
  }

  /** What `add` takes for a document that has the same content as the last one, in place of reading it again. */
  lastContent(): KnownContent {
    return this.#content
  }

  /** The numbers of the words that the documents have. */
  present(): Uint32Array {
    this.#encode()
    const numbers = new Uint32Array(this.numbers.count)
    for (let word = 0; word < numbers.length; word++) numbers[word] = word
    return numbers.filter(word => this.#heads.some(({ ends }) => startAt(ends, word) < endAt(ends, word)))
  }

  /** Visits the list of each word, in the given order. Its bytes are used again for the next. */
  visitLists(order: Uint32Array, visit: (word: number, list: JoinedList) => void): void {
    this.#encode()
    let bytes = new Uint8Array(1 << 16)
    for (const word of order) {
      const headSize = sizeOf(this.#heads, word)
      const size = headSize + sizeOf(this.#places, word)
      if (size > bytes.length) bytes = new Uint8Array(2 * size)
      copyParts(this.#places, word, bytes, copyParts(this.#heads, word, bytes, 0))
      visit(word, { bytes, headSize, size })
    }
  }

  protected override scanField(field: number, values: readonly string[]): number {
    if (field !== CONTENT) return super.scanField(field, values)
    if (this.#known) return this.#addContent(this.#known)
    const start = this.#size
    const length = super.scanField(field, values)
    const words = this.#wordOf.slice(start, this.#size)
    this.#content = { words, places: this.#placeOf.slice(start, this.#size), length }
    return length
  }

  protected push(word: number, place: number): void {
    if (this.#size === this.#wordOf.length) this.#makeRoom(1)
    this.#wordOf[this.#size] = word
    this.#offsetOf[this.#size] = this.#offset
    this.#placeOf[this.#size++] = place
  }

  #addContent({ words, places, length }: KnownContent): number {
    this.#makeRoom(words.length)
    this.#wordOf.set(words, this.#size)
    this.#placeOf.set(places, this.#size)
    this.#offsetOf.fill(this.#offset, this.#size, this.#size + words.length)
    this.#size += words.length
    return length
  }

  #makeRoom(more: number): void {
    while (this.#size + more > this.#wordOf.length) {
      this.#wordOf = doubled(this.#wordOf, Uint32Array)
      this.#offsetOf = doubled(this.#offsetOf, Uint16Array)
      this.#placeOf = doubled(this.#placeOf, Uint32Array)
    }
  }

  /** Encodes the occurrences since the last time. */
  #encode(): void {
    if (this.#size === 0) return
    const words = this.numbers.count
    const { ends, offsets, places } = this.#sort(words)
    const encoder = this.#encoder
    encoder.clear()
    const headEnds = new Uint32Array(words)
    const placeEnds = new Uint32Array(words)
    let at = 0
    for (let word = 0; word < words; word++) {
      encoder.begin()
      for (; at < ends[word]!; at++) encoder.add(offsets[at]!, places[at]!)
      encoder.end()
      headEnds[word] = encoder.headSize
      placeEnds[word] = encoder.placeSize
    }
    const lists = encoder.takeAll()
    this.#heads.push({ bytes: lists.heads, ends: headEnds })
    this.#places.push({ bytes: lists.places, ends: placeEnds })
    this.#size = 0
  }

  /** The documents and places of all occurrences, word after word, and where those of each word end: in memory that is used again. */
  #sort(words: number): Sorted {
    if (this.#sorted.ends.length <= words) this.#sorted.ends = new Uint32Array(2 * words + 2)
    if (this.#sorted.places.length < this.#size) {
      this.#sorted.offsets = new Uint16Array(this.#wordOf.length)
      this.#sorted.places = new Uint32Array(this.#wordOf.length)
    }
    const { ends, offsets, places } = this.#sorted
    // Counted one further, so that each is where a word begins; taking its occurrences makes it where they end.
    ends.fill(0, 0, words + 1)
    for (let at = 0; at < this.#size; at++) ends[this.#wordOf[at]! + 1]!++
    for (let word = 0; word < words; word++) ends[word + 1]! += ends[word]!
    for (let at = 0; at < this.#size; at++) {
      const to = ends[this.#wordOf[at]!]!++
      offsets[to] = this.#offsetOf[at]!
      places[to] = this.#placeOf[at]!
    }
    return this.#sorted
  }
}

interface Sorted {
  ends: Uint32Array
  offsets: Uint16Array
  places: Uint32Array
}

function startAt(ends: Uint32Array, word: number): number {
  return word === 0 ? 0 : endAt(ends, word - 1)
}

/** A word that came later has no list: it begins and ends behind the last. */
function endAt(ends: Uint32Array, word: number): number {
  return ends[Math.min(word, ends.length - 1)]!
}

/** Of the parts of a list, together. */
function sizeOf(parts: readonly Lists[], word: number): number {
  let size = 0
  for (const { ends } of parts) size += endAt(ends, word) - startAt(ends, word)
  return size
}

/** Copies the parts of a list, one after another, and gives where they end. */
function copyParts(parts: readonly Lists[], word: number, to: Uint8Array, from: number): number {
  let size = from
  for (const { bytes, ends } of parts) {
    const end = endAt(ends, word)
    for (let at = startAt(ends, word); at < end; at++) to[size++] = bytes[at]!
  }
  return size
}

/** A copy of twice the length. */
function doubled<Numbers extends Uint16Array | Uint32Array>(
  numbers: Numbers,
  make: new (length: number) => Numbers,
): Numbers {
  const larger = new make(numbers.length * 2)
  larger.set(numbers)
  return larger
}
