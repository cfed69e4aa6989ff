// A space of a few hundred documents in memory, for one search: the candidates from a larger collection. Only
// words that are asked for get lists.
import { ITEM_TYPES } from '../../item/index.ts'
import { KEY_NUMBERS } from '../answer/copies.ts'
import type { StoredRows, StoredSpace } from '../answer/stored-space.ts'
import type { Pattern } from '../match/compiled-query.ts'
import { DocSet } from '../match/doc-set.ts'
import { byLengthThenText, Lexicon, type LexiconEntry } from '../match/lexicon.ts'
import type { Expansion } from '../match/match-leaf.ts'
import { FieldSums } from '../match/postings/merge-postings.ts'
import { FIELD_COUNT, fieldOf } from '../match/postings/place.ts'
import { findMask, type Occurrences, type Postings } from '../match/postings/postings.ts'
import type { LocalEmbedder } from '../meaning/embedder.ts'
import { type DocumentTable, type Scale, strengthsOf, type TableTotals, totalTable } from '../rank/score.ts'
import { plainEngine } from '../rank/signature-engines.ts'
import { packedSignature, packedSize, VectorTable } from '../rank/vector-table.ts'
import { stem } from '../text/porter.ts'
import { MemoryColumns } from './memory-columns.ts'
import type { DocumentReader, MemoryItem, ReadDocument, Vocabulary } from './read-document.ts'

export class MemorySpace implements StoredSpace {
  readonly capacity: number
  readonly totals: TableTotals
  readonly scores: Float32Array
  readonly spare: Float32Array
  readonly items: MemoryColumns
  readonly rows: StoredRows
  readonly #documents: readonly ReadDocument[]
  readonly #words: Vocabulary
  readonly #embedder: LocalEmbedder | undefined
  readonly #table: DocumentTable
  readonly #postings = new Map<number, Postings>()
  #lexicon: Lexicon | undefined

  constructor(reader: DocumentReader, items: readonly MemoryItem[], embedder: LocalEmbedder | undefined) {
    const { words, documents } = reader.readAll(items)
    this.#words = words
    this.#documents = documents
    this.#embedder = embedder
    this.capacity = documents.length
    this.#table = {
      types: Uint8Array.from(items, ({ type }) => 1 + ITEM_TYPES.indexOf(type)),
      lengths: Uint32Array.from(documents.flatMap(({ lengths }) => lengths)),
    }
    this.totals = totalTable(this.#table)
    this.scores = new Float32Array(this.capacity)
    this.spare = new Float32Array(this.capacity)
    this.items = new MemoryColumns(documents)
    this.rows = { row: doc => documents[doc]!.shown(), text: doc => documents[doc]!.text() }
  }

  expand(pattern: Pattern): Expansion {
    const entries = this.#entriesOf(pattern)
    const kept = 'most' in pattern ? entries.slice(0, pattern.most) : entries
    return { terms: kept.map(({ term }) => term), capped: kept.length < entries.length }
  }

  wordOf(term: number): string {
    return this.#words.wordOf(term)
  }

  matches(pattern: Pattern): Postings {
    const { terms } = this.expand(pattern)
    if (terms.length === 1) return this.postings(terms[0]!)
    const sums = new FieldSums(this.capacity)
    for (const term of terms) sums.addList(this.postings(term))
    return sums.take()
  }

  postings(term: number): Postings {
    const known = this.#postings.get(term)
    if (known) return known
    const docs: number[] = []
    const masks: number[] = []
    const counts: number[] = []
    this.#documents.forEach((document, doc) => {
      const places = document.placesOf(term)
      if (places.length === 0) return
      const byField = new Uint32Array(FIELD_COUNT)
      for (const place of places) byField[fieldOf(place)]!++
      docs.push(doc)
      masks.push(byField.reduce((mask, count, field) => (count > 0 ? mask | (1 << field) : mask), 0))
      counts.push(...byField.filter(count => count > 0))
    })
    const postings = {
      docs: Uint32Array.from(docs),
      masks: Uint8Array.from(masks),
      counts: Uint32Array.from(counts),
    }
    this.#postings.set(term, postings)
    return postings
  }

  occurrences(term: number): Occurrences {
    const lists = Array.from(this.postings(term).docs, doc => this.#documents[doc]!.placesOf(term))
    const starts = new Uint32Array(lists.length + 1)
    for (let at = 0; at < lists.length; at++) starts[at + 1] = starts[at]! + lists[at]!.length
    const places = new Uint32Array(starts[lists.length]!)
    for (let at = 0; at < lists.length; at++) places.set(lists[at]!, starts[at]!)
    return { starts, places }
  }

  masksOf(terms: readonly number[], docs: readonly number[]): Uint8Array {
    return Uint8Array.from(terms.flatMap(term => docs.map(doc => findMask(this.postings(term), doc))))
  }

  strengths(postings: Postings, scale: Scale): Float32Array {
    return strengthsOf(postings, this.#table, scale)
  }

  docsOfType(wanted: number): DocSet {
    if (wanted === 0) return DocSet.full(this.capacity)
    const docs = [...this.#table.types.keys()].filter(doc => this.#table.types[doc] === wanted)
    return DocSet.of(this.capacity, docs)
  }

  vectors(model: string, dimensions: number): VectorTable {
    const embedder = this.#embedder
    if (embedder?.model !== model || embedder.dimensions !== dimensions) return new VectorTable(0, dimensions)
    // Without WebAssembly: making its memory takes longer than comparing so few.
    const table = new VectorTable(this.capacity, dimensions, plainEngine)
    this.#documents.forEach((document, doc) => {
      // An item without known words gets a vector without a direction, as it does in a stored index.
      const packed = document.vectorBy(embedder) ?? new Uint8Array(packedSize(dimensions))
      table.put(doc, packed, packedSignature(packed, dimensions))
    })
    return table
  }

  copyKeys(): Uint32Array {
    const keys = new Uint32Array(this.capacity * KEY_NUMBERS)
    const bytes = new Uint8Array(keys.buffer)
    this.#documents.forEach((document, doc) => {
      bytes.set(document.copyKeys, doc * KEY_NUMBERS * 4)
    })
    return keys
  }

  hasMatch(pattern: Pattern): boolean {
    return this.expand(pattern).terms.length > 0
  }

  nearest(word: string): string[] {
    return this.#allWords()
      .near(word)
      .map(entry => entry.word)
  }

  #entriesOf(pattern: Pattern): readonly LexiconEntry[] {
    switch (pattern.kind) {
      case 'word': {
        const number = this.#words.numberOf(pattern.word)
        return this.#present(number === undefined ? [] : [number])
      }
      case 'stem':
        return this.#present(this.#words.ofStem(stem(pattern.word))).sort(byLengthThenText)
      case 'wildcard':
        return this.#allWords().wildcard(pattern.pattern, pattern.most + 1)
      case 'fuzzy':
        return this.#allWords().fuzzy(pattern.word, pattern.distance, pattern.most + 1)
    }
  }

  /** Only words that a document has: the vocabulary also has words from other searches. */
  #present(numbers: readonly number[]): LexiconEntry[] {
    return numbers
      .filter(number => this.postings(number).docs.length > 0)
      .map(term => ({ term, word: this.wordOf(term) }))
  }

  #allWords(): Lexicon {
    if (this.#lexicon) return this.#lexicon
    const numbers = new Set(this.#documents.flatMap(({ words }) => [...words]))
    this.#lexicon = new Lexicon()
    for (const number of numbers) this.#lexicon.add(this.wordOf(number), number)
    return this.#lexicon
  }
}
