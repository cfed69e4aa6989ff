// One set of changes, in one transaction. Documents are numbered as they come; a changed one gets a new number, and the old
// one is marked dead, which readers leave out. So writing only ever appends. When many are dead, compact.ts numbers anew.

import { ITEM_TYPES, type ItemType } from '../../item/index.ts'
import { SEARCH_FIELDS } from '../../query/index.ts'
import { previewSource } from '../answer/preview.ts'
import { DamagedIndex } from '../match/damaged-index.ts'
import { CHUNK_KEYS, CHUNK_SIZE, type EncodedList, joinLists } from '../match/posting-codec.ts'
import { nameKey } from '../text/tokenize.ts'
import { WordCollector } from './collect-words.ts'
import { compact, isWorthwhile } from './compact.ts'
import type { Database } from './database.ts'
import type { Applied, Changes, IndexedItem, TouchedFile } from './indexed-item.ts'
import { RowWriter } from './row-writer.ts'
import type { TermIds } from './term-ids.ts'

/** Small changes gather in one chunk, whose lists are written again each time; so it stays small. */
const GATHERING_SIZE = 1024

const FIELDS = SEARCH_FIELDS.length

/** The row of `meta` that says which files the index holds all of; gone with every change. */
export const LAST_REFRESH = 'last refresh'

export function writeChanges(database: Database, changes: Changes, terms: TermIds): Applied {
  database.exec('BEGIN IMMEDIATE')
  try {
    const select = database.prepare(`SELECT value FROM meta WHERE key = 'generation'`)
    const { value: generation } = select.get() as { value: number }
    terms.begin(generation)
    const applied = new ChangeWriter(database, terms).write(changes)
    if (isWorthwhile(database)) {
      compact(database)
      terms.forget()
    }
    database.prepare(`UPDATE meta SET value = ? WHERE key = 'generation'`).run(generation + 1)
    database.exec(`DELETE FROM meta WHERE key = '${LAST_REFRESH}'`)
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
}

interface Chunk {
  readonly chunk: number
  /** The number of its first document. */
  readonly base: number
  readonly size: number
}

class ChangeWriter {
  readonly #database: Database
  readonly #terms: TermIds
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()
  readonly #items: RowWriter
  readonly #bodies: RowWriter
  readonly #lists: RowWriter

  constructor(database: Database, terms: TermIds) {
    this.#database = database
    this.#terms = terms
    this.#items = new RowWriter(database, 'INSERT INTO item', 19)
    this.#bodies = new RowWriter(database, 'INSERT INTO body', 2)
    this.#lists = new RowWriter(database, 'INSERT OR REPLACE INTO posting', 3)
  }

  write(changes: Changes): Applied {
    const find = this.#statement('SELECT doc, hash FROM item WHERE path = ?')
    const dead: number[] = []
    for (const path of new Set(changes.remove)) {
      const existing = find.get(path) as Existing | undefined
      if (existing) this.#remove(existing.doc, dead)
    }
    const removed = dead.length
    const fresh: IndexedItem[] = []
    let touched = (changes.touch ?? []).reduce((sum, file) => sum + this.#touch(file), 0)
    for (const item of new Map(changes.upsert.map(entry => [entry.path, entry])).values()) {
      const existing = find.get(item.path) as Existing | undefined
      if (existing?.hash === item.hash) {
        touched += this.#touch(item)
        continue
      }
      if (existing) this.#remove(existing.doc, dead)
      fresh.push(item)
    }
    this.#markDead(dead)
    this.#append(fresh)
    const updated = dead.length - removed
    return { added: fresh.length - updated, updated, touched, removed }
  }

  /** How many rows that is: none, if another process has changed or removed the item since. */
  #touch({ size, mtimeMs, ctimeMs, inode, path, hash }: TouchedFile): number {
    const touch = this.#statement(
      'UPDATE item SET size = ?, mtime = ?, ctime = ?, inode = ? WHERE path = ? AND hash = ?',
    )
    return Number(touch.run(size, mtimeMs, ctimeMs, inode, path, hash).changes)
  }

  #remove(doc: number, dead: number[]): void {
    this.#statement('DELETE FROM item WHERE doc = ?').run(doc)
    this.#statement('DELETE FROM body WHERE doc = ?').run(doc)
    dead.push(doc)
  }

  #markDead(docs: readonly number[]): void {
    if (docs.length === 0) return
    for (const { chunk, base, size } of this.#chunks()) {
      const offsets = docs.map(doc => doc - base).filter(offset => offset >= 0 && offset < size)
      if (offsets.length === 0) continue
      const { types } = this.#statement('SELECT types FROM chunk WHERE chunk = ?').get(chunk) as {
        types: Uint8Array
      }
      for (const offset of offsets) types[offset] = 0
      this.#statement('UPDATE chunk SET types = ? WHERE chunk = ?').run(types, chunk)
    }
    this.#statement(`UPDATE meta SET value = value + ? WHERE key = 'dead'`).run(docs.length)
  }

  #append(items: readonly IndexedItem[]): void {
    for (let first = 0; first < items.length; first += CHUNK_SIZE) {
      const part = items.slice(first, first + CHUNK_SIZE)
      const last = this.#chunks().at(-1) ?? { chunk: -1, base: 0, size: 0 }
      const gathers = last.chunk >= 0 && last.size + part.length <= GATHERING_SIZE
      this.#appendTo(gathers ? last : { chunk: last.chunk + 1, base: last.base + last.size, size: 0 }, part)
    }
  }

  #appendTo({ chunk, base, size }: Chunk, items: readonly IndexedItem[]): void {
    const types = new Uint8Array(size + items.length)
    const lengths = new Uint32Array(types.length * FIELDS)
    if (size > 0) {
      const old = this.#statement('SELECT types, lengths FROM chunk WHERE chunk = ?').get(chunk) as {
        types: Uint8Array
        lengths: Uint8Array
      }
      if (old.lengths.length !== size * FIELDS * 4) throw new DamagedIndex('a chunk is cut')
      types.set(old.types)
      new Uint8Array(lengths.buffer).set(old.lengths)
    }
    const collector = new WordCollector()
    items.forEach((item, index) => {
      const offset = size + index
      types[offset] = 1 + ITEM_TYPES.indexOf(item.document.type as ItemType)
      lengths.set(collector.add(offset, item.document), offset * FIELDS)
      this.#writeItem(base + offset, item)
    })
    this.#items.flush()
    this.#bodies.flush()
    this.#writeLists(collector, { chunk, isNew: size === 0 })
    const bytes = new Uint8Array(lengths.buffer)
    this.#statement('INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?)').run(chunk, base, types, bytes)
  }

  #writeLists(
    collector: WordCollector,
    { chunk, isNew }: { readonly chunk: number; readonly isNew: boolean },
  ): void {
    const find = this.#statement('SELECT heads, places FROM posting WHERE key = ?')
    const terms = this.#terms.idsOf(collector.words)
    // Ascending keys are written to neighbouring pages.
    const order = Uint32Array.from(terms.keys()).sort((a, b) => terms[a]! - terms[b]!)
    collector.visitLists(order, (word, list) => {
      const key = terms[word]! * CHUNK_KEYS + chunk
      const old = isNew ? undefined : (find.get(key) as EncodedList | undefined)
      const whole = old ? joinLists(old, list) : list
      this.#lists.add(key, whole.heads, whole.places)
    })
    this.#lists.flush()
  }

  #writeItem(doc: number, item: IndexedItem): void {
    const { document } = item
    this.#items.add(
      doc,
      item.path,
      item.size,
      item.mtimeMs,
      item.ctimeMs,
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
    )
    this.#bodies.add(doc, previewSource(document.prose ?? document.fields.content.join('\n')))
  }

  #chunks(): Chunk[] {
    // All columns come from node:sqlite as they were written here.
    return this.#statement(
      'SELECT chunk, base, length(types) AS size FROM chunk ORDER BY chunk',
    ).all() as unknown as Chunk[]
  }

  #statement(sql: string): ReturnType<Database['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
