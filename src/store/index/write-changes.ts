// One set of changes, in one transaction. A document keeps its number while its file lives, and freed numbers are used
// again. What a document had is undone exactly, by the list of its terms, so an updated index equals a fresh one.
import { ITEM_TYPES, type ItemType } from '../../item/index.ts'
import { SEARCH_FIELDS } from '../../query/index.ts'
import { nameKey, previewSource } from '../../search/index.ts'
import { WordCollector } from './collect-words.ts'
import type { Database } from './database.ts'
import type { Applied, Changes, IndexedItem } from './indexed-item.ts'
import { CHUNK, decodeNumbers, type EncodedList, encodeNumbers, spliceList } from './posting-codec.ts'
import type { TermIds } from './term-ids.ts'

/** Chunks of one term have neighbouring keys: `term * CHUNK_KEYS + chunk`. */
export const CHUNK_KEYS = 2 ** 20

const FIELDS = SEARCH_FIELDS.length
const NONE: ReadonlySet<number> = new Set()
const EMPTY: EncodedList = { heads: new Uint8Array(), places: new Uint8Array() }

export function writeChanges(database: Database, changes: Changes, terms: TermIds): Applied {
  database.exec('BEGIN IMMEDIATE')
  try {
    const { value: generation } = database
      .prepare(`SELECT value FROM meta WHERE key = 'generation'`)
      .get() as {
      value: number
    }
    terms.begin(generation)
    const applied = new ChangeWriter(database, terms).write(changes)
    database.prepare(`UPDATE meta SET value = ? WHERE key = 'generation'`).run(generation + 1)
    terms.end(generation + 1)
    database.exec('COMMIT')
    return applied
  } catch (thrown) {
    terms.forget()
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
}

interface Existing {
  readonly doc: number
  readonly hash: string
  readonly terms: Uint8Array
}

/** What happens in one chunk of documents. */
interface ChunkWork {
  readonly gone: { readonly offset: number; readonly terms: Uint8Array }[]
  readonly fresh: { readonly doc: number; readonly item: IndexedItem }[]
}

interface PostingWork {
  readonly collector: WordCollector
  /** Of each term, the documents that no longer have it. */
  readonly gone: Map<number, Set<number>>
  /** Nothing of this chunk is stored yet. */
  readonly isNew: boolean
}

class ChangeWriter {
  readonly #database: Database
  readonly #work = new Map<number, ChunkWork>()
  readonly #freed: number[] = []
  readonly #terms: TermIds

  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()

  constructor(database: Database, terms: TermIds) {
    this.#database = database
    this.#terms = terms
  }

  #statement(sql: string): ReturnType<Database['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  write(changes: Changes): Applied {
    const find = this.#statement('SELECT doc, hash, terms FROM item WHERE path = ?')
    const touch = this.#statement('UPDATE item SET size = ?, mtime = ?, inode = ? WHERE doc = ?')
    const count = { added: 0, updated: 0, touched: 0, removed: 0 }
    for (const path of new Set(changes.remove)) {
      const existing = find.get(path) as Existing | undefined
      if (!existing) continue
      this.#takeOut(existing)
      this.#freed.push(existing.doc)
      count.removed++
    }
    const added: IndexedItem[] = []
    for (const item of new Map(changes.upsert.map(entry => [entry.path, entry])).values()) {
      const existing = find.get(item.path) as Existing | undefined
      if (existing?.hash === item.hash) {
        touch.run(item.size, item.mtimeMs, item.inode, existing.doc)
        count.touched++
      } else if (existing) {
        this.#takeOut(existing)
        this.#putIn(existing.doc, item)
        count.updated++
      } else added.push(item)
    }
    const numbers = this.#freeNumbers(added.length)
    added.forEach((item, index) => {
      this.#putIn(numbers[index]!, item)
    })
    for (const [chunk, work] of [...this.#work].sort(([a], [b]) => a - b)) this.#writeChunk(chunk, work)
    return { ...count, added: added.length }
  }

  #takeOut({ doc, terms }: Existing): void {
    this.#workOf(doc).gone.push({ offset: doc % CHUNK, terms })
    this.#statement('DELETE FROM item WHERE doc = ?').run(doc)
    this.#statement('DELETE FROM body WHERE doc = ?').run(doc)
  }

  #putIn(doc: number, item: IndexedItem): void {
    this.#workOf(doc).fresh.push({ doc, item })
  }

  #workOf(doc: number): ChunkWork {
    const chunk = Math.floor(doc / CHUNK)
    const work = this.#work.get(chunk) ?? { gone: [], fresh: [] }
    this.#work.set(chunk, work)
    return work
  }

  #freeNumbers(count: number): number[] {
    const numbers = this.#freed.sort((a, b) => a - b).slice(0, count)
    const rows = this.#statement('SELECT chunk, types FROM chunk ORDER BY chunk').all() as {
      chunk: number
      types: Uint8Array
    }[]
    const taken = new Set(numbers)
    const inUse = (doc: number) =>
      (rows[Math.floor(doc / CHUNK)]?.types[doc % CHUNK] ?? 0) !== 0 || taken.has(doc)
    for (let doc = 0; numbers.length < count; doc++) if (!inUse(doc)) numbers.push(doc)
    return numbers.sort((a, b) => a - b)
  }

  #writeChunk(chunk: number, work: ChunkWork): void {
    const types = new Uint8Array(CHUNK)
    const lengths = new Uint32Array(CHUNK * FIELDS)
    const row = this.#statement('SELECT types, lengths FROM chunk WHERE chunk = ?').get(chunk) as
      | { types: Uint8Array; lengths: Uint8Array }
      | undefined
    if (row) {
      types.set(row.types)
      new Uint8Array(lengths.buffer).set(row.lengths)
    }
    const gone = new Map<number, Set<number>>()
    for (const { offset, terms } of work.gone) {
      types[offset] = 0
      lengths.fill(0, offset * FIELDS, (offset + 1) * FIELDS)
      for (const term of decodeNumbers(terms)) gone.set(term, (gone.get(term) ?? new Set()).add(offset))
    }
    const collector = new WordCollector()
    const words: Uint32Array[] = []
    work.fresh.sort((a, b) => a.doc - b.doc)
    for (const { doc, item } of work.fresh) {
      const offset = doc % CHUNK
      const read = collector.add(offset, item.document)
      types[offset] = 1 + ITEM_TYPES.indexOf(item.document.type as ItemType)
      lengths.set(read.lengths, offset * FIELDS)
      words.push(read.words)
    }
    const terms = this.#writePostings(chunk, { collector, gone, isNew: row === undefined })
    work.fresh.forEach(({ doc, item }, index) => {
      this.#writeItem(doc, item, encodeNumbers(termsOf(words[index]!, terms)))
    })
    this.#statement('INSERT OR REPLACE INTO chunk VALUES (?, ?, ?)').run(
      chunk,
      types,
      new Uint8Array(lengths.buffer),
    )
  }

  /** Returns the term id of each word of the collector. */
  #writePostings(chunk: number, work: PostingWork): Float64Array {
    const { collector, gone } = work
    const findList = this.#statement('SELECT heads, places FROM posting WHERE key = ?')
    const putList = this.#statement('INSERT OR REPLACE INTO posting VALUES (?, ?, ?)')
    const terms = this.#terms.idsOf(collector.words)
    // Ascending keys are written to neighbouring pages.
    const order = Uint32Array.from(terms.keys()).sort((a, b) => terms[a]! - terms[b]!)
    collector.visitLists(order, (word, list) => {
      const term = terms[word]!
      const key = term * CHUNK_KEYS + chunk
      const old = work.isNew ? undefined : (findList.get(key) as EncodedList | undefined)
      const whole = old ? spliceList(old, gone.get(term) ?? NONE, list) : list
      gone.delete(term)
      putList.run(key, whole.heads, whole.places)
    })
    for (const [term, offsets] of gone) {
      const key = term * CHUNK_KEYS + chunk
      const old = findList.get(key) as EncodedList | undefined
      if (!old) continue
      const rest = spliceList(old, offsets, EMPTY)
      if (rest.heads.length > 0) putList.run(key, rest.heads, rest.places)
      else this.#dropList(term, key)
    }
    return terms
  }

  #dropList(term: number, key: number): void {
    this.#statement('DELETE FROM posting WHERE key = ?').run(key)
    const left = this.#statement('SELECT 1 FROM posting WHERE key BETWEEN ? AND ? LIMIT 1').get(
      term * CHUNK_KEYS,
      term * CHUNK_KEYS + CHUNK_KEYS - 1,
    )
    if (!left) this.#terms.drop(term)
  }

  #writeItem(doc: number, item: IndexedItem, terms: Uint8Array): void {
    const { document } = item
    this.#statement('INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      doc,
      item.path,
      item.size,
      item.mtimeMs,
      item.inode,
      item.hash,
      document.type,
      document.id,
      item.extension,
      document.name,
      nameKey(document.name),
      document.title,
      document.description,
      document.category,
      document.version,
      document.date ?? null,
      JSON.stringify(document.tags),
      JSON.stringify(document.metadata),
      terms,
    )
    const text = previewSource(document.fields.content.join('\n'))
    this.#statement('INSERT INTO body VALUES (?, ?)').run(doc, text)
  }
}

/** The terms of a document's words, ascending. */
function termsOf(words: Uint32Array, terms: Float64Array): Float64Array {
  const ids = new Float64Array(words.length)
  for (let index = 0; index < words.length; index++) ids[index] = terms[words[index]!]!
  return ids.sort()
}
