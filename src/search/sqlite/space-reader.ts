// One space's database, seen through the eyes of a search: which words there are, where they stand, what the documents are.
// All that is kept in memory belongs to one generation of the database, and is dropped with it.
import { matchesStars } from '../../base/index.ts'
import { SEARCH_FIELDS } from '../../query/index.ts'
import type { StoredSpace } from '../answer/stored-space.ts'
import { DamagedIndex } from '../match/damaged-index.ts'
import { DocSet } from '../match/doc-set.ts'
import type { Pattern } from '../match/engine-query.ts'
import { byLengthThenText, type LexiconEntry } from '../match/lexicon.ts'
import type { Expansion } from '../match/match-leaf.ts'
import {
  addHeads,
  CHUNK_KEYS,
  decodeOccurrences,
  decodePostings,
  findHead,
  keepLive,
  keepLivePlaces,
} from '../match/posting-codec.ts'
import { findMask, type Occurrences, type Postings } from '../match/postings.ts'
import { FieldSums, mergeLists } from '../match/unite-lists.ts'
import type { VectorTable } from '../rank/fuse.ts'
import {
  type DocumentTable,
  isSameScale,
  type Scale,
  strengthsOf,
  type TableTotals,
  totalTable,
} from '../rank/score.ts'
import { stem } from '../text/porter.ts'
import type { Database } from './database.ts'
import { ItemColumns } from './item-columns.ts'
import { ItemRows } from './item-rows.ts'
import type { LexiconLoader } from './lexicon-loader.ts'
import { ListCache } from './list-cache.ts'
import { readVectors } from './vectors.ts'

const FIELDS = SEARCH_FIELDS.length
/** Bytes of decoded lists kept for the next search. */
const CACHED_BYTES = 32_000_000
/** The lists of more words than this are added up, not merged. */
const MERGED_LISTS = 2

/** Patterns whose words are kept for the next search. */
const CACHED_PATTERNS = 10_000

const HEADS = 'SELECT key, heads FROM posting WHERE key BETWEEN ? AND ? ORDER BY key'
const ONE_CHUNK = 'SELECT key, heads FROM posting WHERE key = ?'
const PLACES = 'SELECT key, heads, places FROM posting WHERE key BETWEEN ? AND ? ORDER BY key'

interface ListRow {
  readonly key: number
  readonly heads: Uint8Array
}

export class SpaceReader implements StoredSpace {
  readonly table: DocumentTable
  readonly totals: TableTotals
  /** Memory for the scores of one search after another. */
  readonly scores: Float64Array
  readonly items: ItemColumns
  readonly rows: ItemRows
  readonly #database: Database
  readonly #lexicon: LexiconLoader
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()
  readonly #bases = new Map<number, number>()
  readonly #hasDead: boolean
  readonly #lists = new ListCache(CACHED_BYTES)
  readonly #expansions = new Map<string, Expansion>()
  readonly #words = new Map<number, string>()
  readonly #made = new Map<string, unknown>()
  #sums: FieldSums | undefined
  #scale: Scale | undefined
  /** Kept exactly as long as the list they belong to. */
  #strengths = new WeakMap<Postings, Float32Array>()

  /** `totals` are those of the table, where they are known. */
  constructor(
    database: Database,
    {
      generation,
      lexicon,
      totals,
    }: {
      readonly generation: number
      readonly lexicon: LexiconLoader
      readonly totals?: TableTotals | undefined
    },
  ) {
    this.#database = database
    this.#lexicon = lexicon
    this.items = new ItemColumns(database, generation)
    this.rows = new ItemRows(database)
    this.table = this.#readTable()
    this.totals = totals ?? totalTable(this.table)
    this.scores = new Float64Array(this.capacity)
    this.#hasDead = this.totals.documents < this.capacity
  }

  get capacity(): number {
    return this.table.types.length
  }

  #statement(sql: string): ReturnType<Database['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  expand(pattern: Pattern): Expansion {
    const key = keyOf(pattern)
    const known = this.#expansions.get(key)
    if (known) return known
    const entries = this.#entriesOf(pattern)
    // One more than wanted says that there are more.
    const kept = 'most' in pattern ? entries.slice(0, pattern.most) : entries
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

  matches(pattern: Pattern): Postings {
    const { terms } = this.expand(pattern)
    if (terms.length === 1) return this.postings(terms[0]!)
    const unite = () =>
      terms.length <= MERGED_LISTS ? mergeLists(terms.map(term => this.postings(term))) : this.#addUp(terms)
    return this.#lists.get(keyOf(pattern), unite, postingsSize)
  }

  postings(term: number): Postings {
    const read = () => {
      const all = this.#decode(this.#select<ListRow>(HEADS, ...keysOf(term)))
      if ((all.docs.at(-1) ?? -1) >= this.capacity)
        throw new DamagedIndex('a list names a document that does not exist')
      return this.#hasDead ? keepLive(all, this.table.types) : all
    }
    return this.#lists.get(postingsKey(term), read, postingsSize)
  }

  occurrences(term: number): Occurrences {
    const read = () => {
      const rows = this.#select<ListRow & { readonly places: Uint8Array }>(PLACES, ...keysOf(term))
      const postings = this.#hasDead ? this.#decode(rows) : this.postings(term)
      const all = decodeOccurrences(rows, postings)
      return this.#hasDead ? keepLivePlaces(postings, all, this.table.types) : all
    }
    return this.#lists.get(`places ${term}`, read, occurrencesSize)
  }

  /** The fields in which a document has a word, as bits; a list that is not at hand is not decoded for that. */
  maskOf(term: number, doc: number): number {
    if (this.#lists.has(postingsKey(term))) return findMask(this.postings(term), doc)
    const { chunk, base } = this.#chunkOf(doc)
    const [row] = this.#select<ListRow>(ONE_CHUNK, keysOf(term)[0] + chunk)
    return row ? findHead(row.heads, doc - base) : 0
  }

  /** How much each document of a list is about its word. Kept for the next search, until the scale changes. */
  strengths(postings: Postings, scale: Scale): Float32Array {
    if (this.#scale === undefined || !isSameScale(scale, this.#scale)) {
      this.#scale = scale
      this.#strengths = new WeakMap()
    }
    const strengths = this.#strengths.get(postings) ?? strengthsOf(postings, this.table, scale)
    this.#strengths.set(postings, strengths)
    return strengths
  }

  /** Documents of a type, or all of them: 0. The set is shared: copy it before changing it. */
  docsOfType(wanted: number): DocSet {
    return this.#once(`type ${wanted}`, () => {
      if (wanted === 0 && !this.#hasDead) return DocSet.full(this.capacity)
      const { types } = this.table
      const set = new DocSet(this.capacity)
      for (let doc = 0; doc < types.length; doc++) {
        if (types[doc] !== 0 && (wanted === 0 || types[doc] === wanted)) set.add(doc)
      }
      return set
    })
  }

  /** The embeddings of a model that are as long as that. */
  vectors(model: string, dimensions: number): VectorTable {
    return this.#once(`vectors ${dimensions} ${model}`, () => readVectors(this.#database, model, dimensions))
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
      .fuzzy(word, distance, 8)
      .filter(entry => this.postings(entry.term).docs.length > 0)
      .map(entry => entry.word)
  }

  #entriesOf(pattern: Pattern): readonly LexiconEntry[] {
    switch (pattern.kind) {
      case 'word':
        return this.#select<LexiconEntry>(
          'SELECT id AS term, text AS word FROM term WHERE text = ?',
          pattern.word,
        )
      case 'stem':
        // Ids say when a word was first seen; what is shown must not depend on that.
        return this.#select<LexiconEntry>(
          'SELECT id AS term, text AS word FROM term WHERE stem = ?',
          stem(pattern.word),
        ).sort(byLengthThenText)
      case 'wildcard':
        return this.#wildcard(pattern.pattern, pattern.most + 1)
      case 'fuzzy':
        return this.#lexicon.load().fuzzy(pattern.word, pattern.distance, pattern.most + 1)
    }
  }

  /** A pattern that begins with letters is a range of the sorted words; any other one needs all words. */
  #wildcard(pattern: string, most: number): readonly LexiconEntry[] {
    const prefix = pattern.slice(0, pattern.indexOf('*'))
    if (prefix === '') return this.#lexicon.load().wildcard(pattern, most)
    const range = this.#select<LexiconEntry>(
      'SELECT id AS term, text AS word FROM term WHERE text >= ? AND text < ?',
      prefix,
      `${prefix}\u{10ffff}`,
    )
    return range.filter(({ word }) => matchesStars(pattern, word)).sort(byLengthThenText)
  }

  #select<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  /** Lists that only their sum is wanted of are not kept, nor even decoded. */
  #addUp(terms: readonly number[]): Postings {
    const sums = this.#sums ?? new FieldSums(this.capacity)
    // Whoever throws on the way leaves sums that are no good.
    this.#sums = undefined
    const { types } = this.table
    for (const term of terms) {
      if (this.#lists.has(postingsKey(term))) sums.addList(this.postings(term))
      else
        for (const { key, heads } of this.#select<ListRow>(HEADS, ...keysOf(term)))
          addHeads(sums, { base: this.#bases.get(key % CHUNK_KEYS) ?? 0, heads }, types)
    }
    this.#sums = sums
    return sums.take()
  }

  #chunkOf(doc: number): { chunk: number; base: number } {
    let found = { chunk: 0, base: 0 }
    for (const [chunk, base] of this.#bases) if (base <= doc && base >= found.base) found = { chunk, base }
    return found
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
    const rows = this.#statement('SELECT chunk, base, types, lengths FROM chunk ORDER BY chunk').all() as {
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
  if (pattern.kind === 'wildcard') return `wildcard ${pattern.most} ${pattern.pattern}`
  return pattern.kind === 'fuzzy'
    ? `fuzzy ${pattern.most} ${pattern.distance} ${pattern.word}`
    : `${pattern.kind} ${pattern.word}`
}

function keysOf(term: number): [number, number] {
  return [term * CHUNK_KEYS, term * CHUNK_KEYS + CHUNK_KEYS - 1]
}

function postingsKey(term: number): string {
  return `heads ${term}`
}

/** With its strengths. */
function postingsSize({ docs, counts }: Postings): number {
  return docs.length * 9 + counts.length * 4
}

function occurrencesSize({ starts, places }: Occurrences): number {
  return (starts.length + places.length) * 4
}
