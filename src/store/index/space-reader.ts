// One space's database, seen through the eyes of a search: which words there are, where they stand, what the documents are.
// All that is kept in memory belongs to one generation of the database, and is dropped with it.
import { matchesWildcard, SEARCH_FIELDS } from '../../query/index.ts'
import {
  byLengthThenText,
  DocSet,
  type DocumentTable,
  EXPANSION_CAP,
  type Expansion,
  type Occurrences,
  type Pattern,
  type Postings,
  stem,
  type TableTotals,
  type TermSource,
  totalTable,
  type VectorTable,
} from '../../search/index.ts'
import { DamagedIndex, type Database } from './database.ts'
import { ItemColumns } from './item-columns.ts'
import type { LexiconLoader } from './lexicon-loader.ts'
import { CHUNK_KEYS, decodeOccurrences, decodePostings, keepLive, keepLivePlaces } from './posting-codec.ts'
import { readVectors } from './vectors.ts'

const FIELDS = SEARCH_FIELDS.length
/** Numbers of decoded lists kept for the next search, 4 bytes each. */
const CACHED_ENTRIES = 4_000_000

/** Patterns whose words are kept for the next search. */
const CACHED_PATTERNS = 10_000
interface ListRow {
  readonly key: number
  readonly heads: Uint8Array
}

export class SpaceReader implements TermSource {
  readonly table: DocumentTable
  readonly totals: TableTotals
  readonly items: ItemColumns
  readonly #database: Database
  readonly #lexicon: LexiconLoader
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()
  readonly #bases = new Map<number, number>()
  readonly #hasDead: boolean
  readonly #postings = new Map<number, Postings>()
  readonly #occurrences = new Map<number, Occurrences>()
  readonly #expansions = new Map<string, Expansion>()
  readonly #words = new Map<number, string>()
  readonly #made = new Map<string, unknown>()
  #cached = 0

  constructor(database: Database, lexicon: LexiconLoader) {
    this.#database = database
    this.#lexicon = lexicon
    this.items = new ItemColumns(database)
    this.table = this.#readTable()
    this.totals = totalTable(this.table)
    this.#hasDead = this.totals.documents < this.capacity
  }

  get capacity(): number {
    return this.table.types.length
  }

  statement(sql: string): ReturnType<Database['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  expand(pattern: Pattern): Expansion {
    const key = keyOf(pattern)
    const known = this.#expansions.get(key)
    if (known) return known
    const entries = this.#entriesOf(pattern)
    const kept = entries.slice(0, pattern.kind === 'fuzzy' ? EXPANSION_CAP.fuzzy : EXPANSION_CAP.wildcard)
    for (const { term, word } of kept) this.#words.set(term, word)
    const expansion = { terms: kept.map(entry => entry.term), capped: kept.length < entries.length }
    if (this.#expansions.size >= CACHED_PATTERNS) this.#expansions.clear()
    this.#expansions.set(key, expansion)
    return expansion
  }

  /** The word of a term that `expand` gave. */
  wordOf(term: number): string {
    return this.#words.get(term) ?? ''
  }

  postings(term: number): Postings {
    const cached = this.#postings.get(term)
    if (cached) return cached
    const rows = this.statement('SELECT key, heads FROM posting WHERE key BETWEEN ? AND ? ORDER BY key').all(
      ...keysOf(term),
    ) as ListRow[]
    const all = this.#decode(rows)
    const postings = this.#hasDead ? keepLive(all, this.table.types) : all
    const last = all.docs.at(-1) ?? -1
    if (last >= this.capacity) throw new DamagedIndex('a list names a document that does not exist')
    this.#makeRoom(postings.docs.length * 2)
    this.#postings.set(term, postings)
    return postings
  }

  occurrences(term: number): Occurrences {
    const cached = this.#occurrences.get(term)
    if (cached) return cached
    const rows = this.statement(
      'SELECT key, heads, places FROM posting WHERE key BETWEEN ? AND ? ORDER BY key',
    ).all(...keysOf(term)) as (ListRow & { places: Uint8Array })[]
    const postings = this.#hasDead ? this.#decode(rows) : this.postings(term)
    const all = decodeOccurrences(rows, postings)
    const occurrences = this.#hasDead ? keepLivePlaces(postings, all, this.table.types) : all
    this.#makeRoom(occurrences.places.length)
    this.#occurrences.set(term, occurrences)
    return occurrences
  }

  /** Documents of a type, or all of them: 0. The set is shared: copy it before changing it. */
  docsOfType(wanted: number): DocSet {
    return this.#once(`type ${wanted}`, () => {
      const { types } = this.table
      const set = new DocSet(this.capacity)
      for (let doc = 0; doc < types.length; doc++) {
        if (types[doc] !== 0 && (wanted === 0 || types[doc] === wanted)) set.add(doc)
      }
      return set
    })
  }

  /** The embeddings of a model. */
  vectors(model: string): VectorTable {
    return this.#once(`vectors ${model}`, () => readVectors(this.#database, model))
  }

  /** Whether any document has a word that the pattern accepts. */
  hasMatch(pattern: Pattern): boolean {
    return this.expand(pattern).terms.some(term => this.postings(term).docs.length > 0)
  }

  /** Words near a mistyped one that do occur. */
  nearest(word: string): string[] {
    const distance = Math.max(1, Math.min(2, Math.floor(word.length / 3)))
    return this.#lexicon
      .load()
      .fuzzy(word, distance)
      .slice(0, 8)
      .filter(entry => this.postings(entry.term).docs.length > 0)
      .map(entry => entry.word)
  }

  #entriesOf(pattern: Pattern): readonly { term: number; word: string }[] {
    switch (pattern.kind) {
      case 'word':
        return this.#select('SELECT id AS term, text AS word FROM term WHERE text = ?', pattern.word)
      case 'stem':
        // Ids say when a word was first seen; what is shown must not depend on that.
        return this.#select(
          'SELECT id AS term, text AS word FROM term WHERE stem = ?',
          stem(pattern.word),
        ).sort(byLengthThenText)
      case 'wildcard':
        return this.#wildcard(pattern.pattern)
      case 'fuzzy':
        return this.#lexicon.load().fuzzy(pattern.word, pattern.distance)
    }
  }

  /** A pattern that begins with letters is a range of the sorted words; any other one needs all words. */
  #wildcard(pattern: string): readonly { term: number; word: string }[] {
    const prefix = pattern.slice(0, pattern.indexOf('*'))
    if (prefix === '') return this.#lexicon.load().wildcard(pattern)
    const range = this.#select(
      'SELECT id AS term, text AS word FROM term WHERE text >= ? AND text < ?',
      prefix,
      `${prefix}\u{10ffff}`,
    )
    return range.filter(({ word }) => matchesWildcard(pattern, word)).sort(byLengthThenText)
  }

  #select(sql: string, ...values: string[]): { term: number; word: string }[] {
    return this.statement(sql).all(...values) as { term: number; word: string }[]
  }

  #makeRoom(entries: number): void {
    this.#cached += entries
    if (this.#cached <= CACHED_ENTRIES) return
    this.#postings.clear()
    this.#occurrences.clear()
    this.#cached = entries
  }

  /** Made when first asked for, kept as long as the reader. */
  #once<T>(key: string, make: () => T): T {
    // A key is used with one type only, in the method that names it.
    const known = this.#made.get(key) as T | undefined
    const value = known ?? make()
    this.#made.set(key, value)
    return value
  }

  #decode(rows: readonly ListRow[]): Postings {
    return decodePostings(
      rows.map(({ key, heads }) => ({ base: this.#bases.get(key % CHUNK_KEYS) ?? 0, heads })),
    )
  }

  #readTable(): DocumentTable {
    const rows = this.statement('SELECT chunk, base, types, lengths FROM chunk ORDER BY chunk').all() as {
      chunk: number
      base: number
      types: Uint8Array
      lengths: Uint8Array
    }[]
    const last = rows.at(-1)
    const capacity = last ? last.base + last.types.length : 0
    const types = new Uint8Array(capacity)
    const lengths = new Uint32Array(capacity * FIELDS)
    const bytes = new Uint8Array(lengths.buffer)
    let next = 0
    for (const row of rows) {
      if (row.base !== next || row.lengths.length !== row.types.length * FIELDS * 4)
        throw new DamagedIndex('a chunk is cut')
      this.#bases.set(row.chunk, row.base)
      types.set(row.types, row.base)
      bytes.set(row.lengths, row.base * FIELDS * 4)
      next += row.types.length
    }
    return { types, lengths }
  }
}

function keyOf(pattern: Pattern): string {
  if (pattern.kind === 'wildcard') return `wildcard ${pattern.pattern}`
  return pattern.kind === 'fuzzy'
    ? `fuzzy ${pattern.distance} ${pattern.word}`
    : `${pattern.kind} ${pattern.word}`
}

function keysOf(term: number): [number, number] {
  return [term * CHUNK_KEYS, term * CHUNK_KEYS + CHUNK_KEYS - 1]
}
