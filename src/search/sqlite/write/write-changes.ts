// Writes a set of changes in one transaction. Documents are numbered as they come; a changed one gets a new number, and the
// old number is marked as deleted, which readers skip. So writing only appends, until compact.ts renumbers.
import { ITEM_TYPES, type ItemType } from '../../../item/index.ts'
import { copyKeys } from '../../answer/copy-keys.ts'
import { previewSource } from '../../answer/preview.ts'
import { type EncodedList, joinLists } from '../../match/postings/encode-postings.ts'
import { FIELD_COUNT } from '../../match/postings/place.ts'
import type { LocalEmbedder } from '../../meaning/embedder.ts'
import { nameKey } from '../../text/name-key.ts'
import { CHUNK_SIZE, checkLengths, KEYS_SIZE, keyOf } from '../chunks.ts'
import { inTransaction } from '../database.ts'
import type { Applied, Changes, IndexedItem, TouchedFile } from '../indexed-item.ts'
import type { Database } from '../load-sqlite.ts'
import { packText } from '../packed-text.ts'
import { Statements } from '../statements.ts'
import { appendVectors } from './append-vectors.ts'
import { compact, isCompactionDue } from './compact.ts'
import { RowWriter } from './row-writer.ts'
import type { TermIds } from './term-ids.ts'
import { WordCollector } from './word-collector.ts'

/** Small changes are added to the last chunk up to this size: each addition rewrites its lists. */
const SMALL_CHUNK = 1024

/** The row of `meta` that says which files the index holds all of; gone with every change. */
export const LAST_REFRESH = 'last refresh'

export interface Writing {
  readonly terms: TermIds
  /** Makes the vectors of new documents, if there is one. */
  readonly embedder?: LocalEmbedder | undefined
}

export function writeChanges(database: Database, changes: Changes, { terms, embedder }: Writing): Applied {
  try {
    return inTransaction(database, () => {
      const select = database.prepare(`SELECT value FROM meta WHERE key = 'generation'`)
      const { value: generation } = select.get() as { value: number }
      terms.begin(generation)
      const applied = new ChangeWriter(database, terms).write(changes)
      if (isCompactionDue(database)) {
        compact(database)
        terms.forget()
      }
      if (embedder) appendVectors(database, embedder)
      database.prepare(`UPDATE meta SET value = ? WHERE key = 'generation'`).run(generation + 1)
      database.exec(`DELETE FROM meta WHERE key = '${LAST_REFRESH}'`)
      terms.end(generation + 1)
      return applied
    })
  } catch (thrown) {
    // They may name terms that were not written.
    terms.forget()
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
  readonly #statements: Statements
  readonly #terms: TermIds
  readonly #items: RowWriter
  readonly #bodies: RowWriter
  readonly #lists: RowWriter

  constructor(database: Database, terms: TermIds) {
    this.#statements = new Statements(database)
    this.#terms = terms
    this.#items = new RowWriter(database, 'INSERT INTO item', 21)
    this.#bodies = new RowWriter(database, 'INSERT INTO body', 2)
    this.#lists = new RowWriter(database, 'INSERT OR REPLACE INTO posting', 3)
  }

  write(changes: Changes): Applied {
    const find = this.#statements.get('SELECT doc, hash FROM item WHERE path = ?')
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
    const touch = this.#statements.get(
      'UPDATE item SET size = ?, mtime = ?, ctime = ?, inode = ? WHERE path = ? AND hash = ?',
    )
    return Number(touch.run(size, mtimeMs, ctimeMs, inode, path, hash).changes)
  }

  #remove(doc: number, dead: number[]): void {
    this.#statements.get('DELETE FROM item WHERE doc = ?').run(doc)
    this.#statements.get('DELETE FROM body WHERE doc = ?').run(doc)
    dead.push(doc)
  }

  #markDead(docs: readonly number[]): void {
    if (docs.length === 0) return
    for (const { chunk, base, size } of this.#chunks()) {
      const offsets = docs.map(doc => doc - base).filter(offset => offset >= 0 && offset < size)
      if (offsets.length === 0) continue
      const { types } = this.#statements.get('SELECT types FROM chunk WHERE chunk = ?').get(chunk) as {
        types: Uint8Array
      }
      for (const offset of offsets) types[offset] = 0
      this.#statements.get('UPDATE chunk SET types = ? WHERE chunk = ?').run(types, chunk)
    }
    this.#statements.get(`UPDATE meta SET value = value + ? WHERE key = 'dead'`).run(docs.length)
  }

  #append(items: readonly IndexedItem[]): void {
    for (let first = 0; first < items.length; first += CHUNK_SIZE) {
      const part = items.slice(first, first + CHUNK_SIZE)
      const last = this.#chunks().at(-1) ?? { chunk: -1, base: 0, size: 0 }
      const isSmall = last.chunk >= 0 && last.size + part.length <= SMALL_CHUNK
      this.#appendTo(isSmall ? last : { chunk: last.chunk + 1, base: last.base + last.size, size: 0 }, part)
    }
  }

  #appendTo({ chunk, base, size }: Chunk, items: readonly IndexedItem[]): void {
    const types = new Uint8Array(size + items.length)
    const lengths = new Uint32Array(types.length * FIELD_COUNT)
    const keys = new Uint8Array(types.length * KEYS_SIZE)
    if (size > 0) {
      const old = this.#statements
        .get('SELECT types, lengths, keys FROM chunk WHERE chunk = ?')
        .get(chunk) as unknown as Record<'types' | 'lengths' | 'keys', Uint8Array>
      checkLengths(old.lengths, size)
      types.set(old.types)
      new Uint8Array(lengths.buffer).set(old.lengths)
      keys.set(old.keys)
    }
    const collector = new WordCollector()
    items.forEach((item, index) => {
      const offset = size + index
      types[offset] = 1 + ITEM_TYPES.indexOf(item.document.type as ItemType)
      lengths.set(collector.add(offset, item.document), offset * FIELD_COUNT)
      keys.set(copyKeys(item), offset * KEYS_SIZE)
      this.#writeItem(base + offset, item)
    })
    this.#items.flush()
    this.#bodies.flush()
    this.#writeLists(collector, { chunk, isNew: size === 0 })
    const bytes = new Uint8Array(lengths.buffer)
    this.#statements
      .get('INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)')
      .run(chunk, base, types, bytes, keys)
  }

  #writeLists(
    collector: WordCollector,
    { chunk, isNew }: { readonly chunk: number; readonly isNew: boolean },
  ): void {
    const find = this.#statements.get('SELECT heads, places FROM posting WHERE key = ?')
    const terms = this.#terms.idsOf(collector.words)
    // Ascending, so that neighbouring pages are written together.
    const order = Uint32Array.from(terms.keys()).sort((a, b) => terms[a]! - terms[b]!)
    collector.visitLists(order, (word, list) => {
      const key = keyOf(terms[word]!, chunk)
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
      Number(item.mayBeSigned),
      document.name,
      nameKey(document.name),
      document.title,
      document.description,
      document.category,
      document.version,
      document.date ?? null,
      JSON.stringify(document.tags),
      document.parameters,
      JSON.stringify(document.metadata),
    )
    this.#bodies.add(doc, packText(previewSource(document.prose ?? document.fields.content.join('\n'))))
  }

  #chunks(): Chunk[] {
    return this.#statements.all<Chunk>('SELECT chunk, base, length(types) AS size FROM chunk ORDER BY chunk')
  }
}
