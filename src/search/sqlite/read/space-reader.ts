// One generation of a space's database, for searches: its words, their postings, its documents. Everything
// cached in memory belongs to that generation, and is dropped with it.
import { KEY_NUMBERS } from '../../answer/copies.ts'
import type { StoredSpace } from '../../answer/stored-space.ts'
import type { Pattern } from '../../match/compiled-query.ts'
import { DocSet } from '../../match/doc-set.ts'
import type { Expansion } from '../../match/match-leaf.ts'
import type { Occurrences, Postings } from '../../match/postings/postings.ts'
import { isSameScale, type Scale, strengthsOf, type TableTotals, totalTable } from '../../rank/score.ts'
import type { VectorTable } from '../../rank/vector-table.ts'
import { readKeys } from '../chunks.ts'
import type { Database } from '../load-sqlite.ts'
import { Statements } from '../statements.ts'
import { readTable, type StoredTable } from './document-table.ts'
import { ItemColumns } from './item-columns.ts'
import { ItemRows } from './item-rows.ts'
import type { LexiconLoader } from './lexicon-loader.ts'
import { PostingReader } from './posting-reader.ts'
import { readVectors, vectorsVersion } from './read-vectors.ts'
import { TermReader } from './term-reader.ts'

export interface Generation {
  readonly generation: number
  readonly lexicon: LexiconLoader
  /** Totals of the document table, where they are known. */
  readonly totals: TableTotals | undefined
}

export class SpaceReader implements StoredSpace {
  readonly totals: TableTotals
  readonly scores: Float32Array
  readonly spare: Float32Array
  readonly items: ItemColumns
  readonly rows: ItemRows
  readonly #database: Database
  readonly #statements: Statements
  readonly #table: StoredTable
  readonly #terms: TermReader
  readonly #postings: PostingReader
  readonly #docsOfType = new Map<number, DocSet>()
  readonly #vectors = new Map<string, VectorTable>()
  #scale: Scale | undefined
  /** Strengths are kept as long as the cache keeps their list. */
  #strengths = new WeakMap<Postings, Float32Array>()

  constructor(database: Database, { generation, lexicon, totals }: Generation) {
    const statements = new Statements(database)
    this.#database = database
    this.#statements = statements
    this.#table = readTable(database)
    this.totals = totals ?? totalTable(this.#table)
    this.scores = new Float32Array(this.capacity)
    this.spare = new Float32Array(this.capacity)
    this.items = new ItemColumns(database, generation)
    this.rows = new ItemRows(database)
    this.#terms = new TermReader(statements, lexicon)
    this.#postings = new PostingReader(statements, this.#table, this.#hasDeleted)
  }

  get capacity(): number {
    return this.#table.types.length
  }

  get #hasDeleted(): boolean {
    return this.totals.documents < this.capacity
  }

  expand(pattern: Pattern): Expansion {
    return this.#terms.expand(pattern)
  }

  wordOf(term: number): string {
    return this.#terms.wordOf(term)
  }

  matches(pattern: Pattern): Postings {
    const { terms } = this.#terms.expand(pattern)
    return terms.length === 1 ? this.#postings.postings(terms[0]!) : this.#postings.union(terms)
  }

  postings(term: number): Postings {
    return this.#postings.postings(term)
  }

  occurrences(term: number): Occurrences {
    return this.#postings.occurrences(term)
  }

  masksOf(terms: readonly number[], docs: readonly number[]): Uint8Array {
    return this.#postings.masksOf(terms, docs)
  }

  /** Kept for the next search, until the scale changes. */
  strengths(postings: Postings, scale: Scale): Float32Array {
    if (this.#scale === undefined || !isSameScale(scale, this.#scale)) {
      this.#scale = scale
      this.#strengths = new WeakMap()
    }
    const strengths = this.#strengths.get(postings) ?? strengthsOf(postings, this.#table, scale)
    this.#strengths.set(postings, strengths)
    return strengths
  }

  docsOfType(wanted: number): DocSet {
    const docs = this.#docsOfType.get(wanted) ?? this.#findType(wanted)
    this.#docsOfType.set(wanted, docs)
    return docs
  }

  vectors(model: string, dimensions: number): VectorTable {
    // Vectors of a provider are added later, without a new generation.
    const key = `${vectorsVersion(this.#statements)} ${dimensions} ${model}`
    const kept = this.#vectors.get(key)
    if (kept) return kept
    this.#vectors.clear()
    const vectors = readVectors(this.#database, { model, dimensions, capacity: this.capacity })
    this.#vectors.set(key, vectors)
    return vectors
  }

  copyKeys(): Uint32Array {
    const keys = new Uint32Array(readKeys(this.#database, this.capacity).buffer)
    if (!this.#hasDeleted) return keys
    const { types } = this.#table
    for (let doc = 0; doc < types.length; doc++) {
      if (types[doc] === 0) keys.fill(0, doc * KEY_NUMBERS, (doc + 1) * KEY_NUMBERS)
    }
    return keys
  }

  hasMatch(pattern: Pattern): boolean {
    return this.expand(pattern).terms.some(term => this.postings(term).docs.length > 0)
  }

  nearest(word: string): string[] {
    return this.#terms
      .near(word)
      .filter(entry => this.postings(entry.term).docs.length > 0)
      .map(entry => entry.word)
  }

  #findType(wanted: number): DocSet {
    if (wanted === 0 && !this.#hasDeleted) return DocSet.full(this.capacity)
    const { types } = this.#table
    const set = new DocSet(this.capacity)
    for (let doc = 0; doc < types.length; doc++) {
      if (types[doc] !== 0 && (wanted === 0 || types[doc] === wanted)) set.add(doc)
    }
    return set
  }
}
