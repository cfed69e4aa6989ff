// One document as a search in memory needs it: where each word occurs, how long its fields are, and what else
// is made of it. Reading one takes longer than searching it, so the result is kept as long as the document
// is.
import { flattenText } from '../../base/index.ts'
import type { ItemType } from '../../item/index.ts'
import { copyKeys } from '../answer/copy-keys.ts'
import { previewSource } from '../answer/preview.ts'
import type { StoredItem } from '../answer/stored-space.ts'
import { WordNumbers } from '../match/word-numbers.ts'
import { WordScanner } from '../match/word-scanner.ts'
import type { LocalEmbedder } from '../meaning/embedder.ts'
import { packVector } from '../rank/vector-table.ts'
import type { SearchDocument } from '../text/document.ts'
import { nameKey } from '../text/name-key.ts'
import { stem } from '../text/porter.ts'

export interface MemoryItem {
  readonly type: ItemType
  readonly document: SearchDocument
  /** Digest of the content, by which copies are found. */
  readonly hash: string
  readonly extension: string
  readonly mayBeSigned: boolean
}

/** How many occurrences of words are read of one document. */
const MOST_OCCURRENCES = 50_000
/** How many words of recently read documents are numbered; beyond this, numbering starts again. */
const MOST_WORDS = 300_000

/**
 * Reads documents. All documents of one space must come from one call of `readAll`, because their words are
 * numbered together.
 */
export class DocumentReader {
  #words = new Vocabulary()
  #read = new WeakMap<SearchDocument, ReadDocument>()

  /** A document that was read before, as the same object, is not read again. */
  readAll(items: readonly MemoryItem[]): { readonly words: Vocabulary; readonly documents: ReadDocument[] } {
    if (this.#words.size > MOST_WORDS) {
      this.#words = new Vocabulary()
      this.#read = new WeakMap()
    }
    const words = this.#words
    const documents = items.map(item => {
      const known = this.#read.get(item.document)
      if (known?.item.hash === item.hash) return known
      const read = new ReadDocument(item, words)
      this.#read.set(item.document, read)
      return read
    })
    return { words, documents }
  }
}

interface DocumentWords {
  readonly lengths: readonly number[]
  readonly words: Uint32Array
  readonly places: Uint32Array
}

/** Words by number, and those of each stem. */
export class Vocabulary extends WordScanner {
  readonly #stems = new Map<string, number[]>()
  #stemmed = 0
  /** The words and places of the document that is being read. */
  readonly #words = new Uint32Array(MOST_OCCURRENCES)
  readonly #places = new Uint32Array(MOST_OCCURRENCES)
  #count = 0

  constructor() {
    super(new WordNumbers())
  }

  get size(): number {
    return this.numbers.count
  }

  wordOf(number: number): string {
    return number < this.numbers.count ? this.numbers.wordAt(number) : ''
  }

  numberOf(word: string): number | undefined {
    return this.numbers.find(word)
  }

  /** Compounds such as `read-file` have no stem. */
  ofStem(wanted: string): readonly number[] {
    this.#update()
    return this.#stems.get(wanted) ?? []
  }

  /**
   * Reads one document: the lengths of its fields, and the word and the place of each occurrence, as they
   * come.
   */
  read(document: SearchDocument): DocumentWords {
    this.#count = 0
    const lengths = this.scan(document)
    return {
      lengths,
      words: this.#words.slice(0, this.#count),
      places: this.#places.slice(0, this.#count),
    }
  }

  protected push(word: number, place: number): void {
    // The rest of a longer text is left out: it is about more than anyone asks for, and anyone may write one.
    if (this.#count === MOST_OCCURRENCES) return
    this.#words[this.#count] = word
    this.#places[this.#count++] = place
  }

  #update(): void {
    for (; this.#stemmed < this.numbers.count; this.#stemmed++) {
      const word = this.numbers.wordAt(this.#stemmed)
      if (/[_.-]/.test(word)) continue
      const root = stem(word)
      const known = this.#stems.get(root)
      if (known) known.push(this.#stemmed)
      else this.#stems.set(root, [this.#stemmed])
    }
  }
}

export class ReadDocument implements DocumentWords {
  readonly item: MemoryItem
  readonly words: Uint32Array
  readonly places: Uint32Array
  readonly lengths: readonly number[]
  readonly nameKey: string
  readonly copyKeys: Uint8Array
  #shown: StoredItem | undefined
  #text: string | undefined
  #vector: { readonly model: string; readonly packed: Uint8Array | undefined } | undefined

  constructor(item: MemoryItem, vocabulary: Vocabulary) {
    const { words, places, lengths } = vocabulary.read(item.document)
    this.item = item
    this.words = words
    this.places = places
    this.lengths = lengths
    this.nameKey = nameKey(item.document.name)
    this.copyKeys = copyKeys(item)
  }

  /**
   * The places of a word, ascending. Scanning a list of all words in order is as fast as making a sorted one.
   */
  placesOf(word: number): readonly number[] {
    const found: number[] = []
    for (let at = this.words.indexOf(word); at !== -1; at = this.words.indexOf(word, at + 1))
      found.push(this.places[at]!)
    return found
  }

  /** Packed, as a `VectorTable` takes it. */
  vectorBy(embedder: LocalEmbedder): Uint8Array | undefined {
    if (this.#vector?.model !== embedder.model) {
      const { title, description } = this.item.document
      const vector = embedder.embedItem({ title, description, body: this.text() })
      this.#vector = { model: embedder.model, packed: vector && packVector(vector) }
    }
    return this.#vector.packed
  }

  /** The item as results show it. */
  shown(): StoredItem {
    this.#shown ??= describe(this.item)
    return this.#shown
  }

  /** The text for previews. */
  text(): string {
    const { prose, fields } = this.item.document
    this.#text ??= previewSource(prose ?? fields.content.join('\n'))
    return this.#text
  }
}

function describe({ type, document, extension, hash }: MemoryItem): StoredItem {
  const { id, name, date, tags } = document
  return {
    ...{ type, id, name, extension, hash, date },
    path: `${type}/${id}`,
    title: flattenText(document.title),
    description: flattenText(document.description),
    category: flattenText(document.category),
    version: flattenText(document.version),
    tags: tags.map(flattenText),
    parameters: flattenText(document.parameters),
  }
}
