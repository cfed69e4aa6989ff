// Collects the words of a group of documents as encoded postings: the inner loop of indexing. Occurrences go
// into flat arrays as they come. From time to time they are sorted by word with a counting sort, and encoded,
// which takes a fifth of the memory. No object is made for a word or a document.
import { SEARCH_FIELDS } from '../../../query/index.ts'
import { ListEncoder } from '../../match/postings/encode-postings.ts'
import { WordNumbers } from '../../match/word-numbers.ts'
import { WordScanner } from '../../match/word-scanner.ts'
import type { SearchDocument } from '../../text/document.ts'
import type { JoinedList } from '../short-lists.ts'
import { ListPieces, type Run } from './list-pieces.ts'

/** How many occurrences are encoded together, with the rest of the last document. */
const RUN = 1 << 18

/** The occurrences in the content of a document. */
export interface KnownContent {
  readonly words: Uint32Array
  readonly places: Uint32Array
  readonly length: number
}

const CONTENT = SEARCH_FIELDS.indexOf('content')

export class WordCollector extends WordScanner {
  readonly #runs: Run[] = []
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
  /** The content of the document that is being read, if it is known already. */
  #known: KnownContent | undefined
  #content: KnownContent = { words: new Uint32Array(), places: new Uint32Array(), length: 0 }

  readonly #run: number

  /** At least `run` occurrences are encoded together. */
  constructor(run = RUN) {
    super(new WordNumbers())
    this.#run = run
  }

  /** The bytes of the lists so far. */
  get bytes(): number {
    return this.#runs.reduce(
      (sum, run) => sum + run.heads.length + run.places.length + 12 * run.words.length,
      0,
    )
  }

  /** Forgets all documents, and keeps the numbers of words. */
  clear(): void {
    this.#runs.length = 0
    this.#size = 0
  }

  /** Adds one document and returns the lengths of its fields. Documents come in ascending order. */
  add(offset: number, document: SearchDocument, content?: KnownContent): number[] {
    this.#offset = offset
    this.#known = content
    const lengths = this.scan(document)
    if (this.#size >= this.#run) this.#encode()
    return lengths
  }

  /** The content of the last document. Passing it to `add` saves reading the same content again. */
  lastContent(): KnownContent {
    return this.#content
  }

  /** The numbers of the words that the documents have. */
  present(): Uint32Array {
    this.#encode()
    const isPresent = new Uint8Array(this.numbers.count)
    for (const { words } of this.#runs) for (const word of words) isPresent[word] = 1
    const present = new Uint32Array(isPresent.length)
    let size = 0
    for (let word = 0; word < isPresent.length; word++) if (isPresent[word] === 1) present[size++] = word
    return present.subarray(0, size)
  }

  /** Visits the list of each word, in the given order. Its bytes are reused for the next word. */
  visitLists(order: Uint32Array, visit: (word: number, list: JoinedList) => void): void {
    this.#encode()
    const pieces = new ListPieces(this.#runs, this.numbers.count)
    for (const word of order) visit(word, pieces.join(word))
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
    const count = this.numbers.count
    const { ends, offsets, places } = this.#sort(count)
    const encoder = this.#encoder
    encoder.clear()
    const words = new Uint32Array(distinct(ends, count))
    const headEnds = new Uint32Array(words.length)
    const placeEnds = new Uint32Array(words.length)
    let piece = 0
    let at = 0
    for (let word = 0; word < count; word++) {
      if (at === ends[word]) continue
      encoder.begin()
      for (; at < ends[word]!; at++) encoder.add(offsets[at]!, places[at]!)
      encoder.end()
      words[piece] = word
      headEnds[piece] = encoder.headSize
      placeEnds[piece++] = encoder.placeSize
    }
    this.#runs.push({ words, headEnds, placeEnds, ...encoder.takeAll() })
    this.#size = 0
  }

  /**
   * The documents and places of all occurrences, word by word, and where those of each word end. The memory
   * is reused.
   */
  #sort(words: number): Sorted {
    if (this.#sorted.ends.length <= words) this.#sorted.ends = new Uint32Array(2 * words + 2)
    if (this.#sorted.places.length < this.#size) {
      this.#sorted.offsets = new Uint16Array(this.#wordOf.length)
      this.#sorted.places = new Uint32Array(this.#wordOf.length)
    }
    const { ends, offsets, places } = this.#sorted
    // Counts are stored one place further, so that each entry is where a word begins. Placing its occurrences
    // moves it to where they end.
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

/** How many words have occurrences, by where those of each end. */
function distinct(ends: Uint32Array, words: number): number {
  let count = 0
  for (let word = 0, last = 0; word < words; last = ends[word++]!) if (ends[word] !== last) count++
  return count
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
