// The words of a group of documents, as encoded postings: the inner loop of indexing. Occurrences go into flat arrays as
// they come. From time to time they are sorted by word with a counting sort, and encoded: that takes a fifth of the memory. No object
// is made for a word or a document.
import { SEARCH_FIELDS } from '../../../query/index.ts'
import { type EncodedList, ListEncoder } from '../../match/postings/encode-postings.ts'
import { WordNumbers } from '../../match/word-numbers.ts'
import { WordScanner } from '../../match/word-scanner.ts'
import type { SearchDocument } from '../../text/document.ts'

/** Occurrences that are encoded together, with the rest of the last document. */
const RUN = 1 << 19

/** Lists of the words of some documents: that of a word is between its ends and those of the word before it. */
interface EncodedPart {
  readonly heads: Uint8Array
  readonly headEnds: Uint32Array
  readonly places: Uint8Array
  readonly placeEnds: Uint32Array
}

/** The occurrences in the content of a document. */
export interface KnownContent {
  readonly words: Uint32Array
  readonly places: Uint32Array
  readonly length: number
}

const CONTENT = SEARCH_FIELDS.indexOf('content')

export class WordCollector extends WordScanner {
  readonly #parts: EncodedPart[] = []
  #size = 0
  /** For each occurrence: the word, the document, and the place. */
  #wordOf = new Uint32Array(1 << 14)
  #offsetOf = new Uint16Array(1 << 14)
  #placeOf = new Uint32Array(1 << 14)
  #offset = 0
  /** Of the document that is being read. */
  #known: KnownContent | undefined
  #content: KnownContent = { words: new Uint32Array(), places: new Uint32Array(), length: 0 }

  constructor() {
    super(new WordNumbers())
  }

  get words(): readonly string[] {
    return this.numbers.words
  }

  /** Bytes of the lists so far. */
  get bytes(): number {
    return this.#parts.reduce((sum, { heads, places }) => sum + heads.length + places.length, 0)
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

  /** Visits the list of each word, in the given order of word numbers. */
  visitLists(order: ArrayLike<number>, visit: (word: number, list: EncodedList) => void): void {
    this.#encode()
    const slab = new Slab()
    for (let index = 0; index < order.length; index++) {
      const word = order[index]!
      visit(word, this.#listOf(word, slab))
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

  #listOf(word: number, slab: Slab): EncodedList {
    // A word that came later has no list in it.
    const parts = this.#parts.filter(({ headEnds }) => word < headEnds.length && sizeAt(headEnds, word) > 0)
    const heads = parts.map(part => part.heads.subarray(startAt(part.headEnds, word), part.headEnds[word]))
    const places = parts.map(part =>
      part.places.subarray(startAt(part.placeEnds, word), part.placeEnds[word]),
    )
    return { heads: slab.join(heads), places: slab.join(places) }
  }

  /** Encodes the occurrences since the last time. */
  #encode(): void {
    if (this.#size === 0) return
    const words = this.words.length
    const starts = new Uint32Array(words + 1)
    for (let at = 0; at < this.#size; at++) starts[this.#wordOf[at]! + 1]!++
    for (let word = 0; word < words; word++) starts[word + 1]! += starts[word]!
    const next = starts.slice()
    const offsets = new Uint16Array(this.#size)
    const places = new Uint32Array(this.#size)
    for (let at = 0; at < this.#size; at++) {
      const to = next[this.#wordOf[at]!]!++
      offsets[to] = this.#offsetOf[at]!
      places[to] = this.#placeOf[at]!
    }
    const encoder = new ListEncoder()
    const ends = { headEnds: new Uint32Array(words), placeEnds: new Uint32Array(words) }
    for (let word = 0; word < words; word++) {
      encoder.begin()
      for (let at = starts[word]!; at < starts[word + 1]!; at++) encoder.add(offsets[at]!, places[at]!)
      encoder.end()
      ends.headEnds[word] = encoder.headSize
      ends.placeEnds[word] = encoder.placeSize
    }
    this.#parts.push({ ...encoder.takeAll(), ...ends })
    this.#size = 0
  }
}

function startAt(ends: Uint32Array, word: number): number {
  return word === 0 ? 0 : ends[word - 1]!
}

function sizeAt(ends: Uint32Array, word: number): number {
  return ends[word]! - startAt(ends, word)
}

const SLAB = 1 << 18

/** Room for many short arrays of bytes, each of which would take longer to allocate than to fill. */
class Slab {
  #bytes = new Uint8Array(SLAB)
  #size = 0

  join(parts: readonly Uint8Array[]): Uint8Array {
    if (parts.length === 1) return parts[0]!
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    if (this.#size + length > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(SLAB, length))
      this.#size = 0
    }
    const joined = this.#bytes.subarray(this.#size, this.#size + length)
    this.#size += length
    let at = 0
    for (const part of parts) {
      joined.set(part, at)
      at += part.length
    }
    return joined
  }
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
