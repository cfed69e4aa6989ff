// Writes a set of changes in one transaction. Documents are numbered as they come; a changed one gets a new
// number, and the old number is marked as deleted, which readers skip. So writing only appends, until
// compact.ts renumbers.
import { FIELD_COUNT } from '../../match/postings/place.ts'
import type { LocalEmbedder } from '../../meaning/embedder.ts'
import { checkLengths, KEYS_SIZE } from '../chunks.ts'
import { inTransaction } from '../database.ts'
import type { Applied, IndexedItem, TouchedFile } from '../indexed-item.ts'
import type { Database } from '../load-sqlite.ts'
import { Statements } from '../statements.ts'
import { appendVectors } from './append-vectors.ts'
import type { Changes } from './changes.ts'
import { compact, isCompactionDue } from './compact.ts'
import { Draft, type DraftedItem, type ItemColumns } from './draft.ts'
import { ListWriter } from './list-writer.ts'
import { RowWriter } from './row-writer.ts'
import type { TermIds } from './term-ids.ts'

/** Small changes are added to the last chunk up to this size: each addition rewrites its lists. */
const SMALL_CHUNK = 1024

/** The row of `meta` with the last refresh after which the index held all files. Every change deletes it. */
export const LAST_REFRESH = 'last refresh'
/** The row of `meta` that says in which state the files were. Every change deletes it too. */
export const LAST_SCAN = 'last look'

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
      const writer = new ChangeWriter(database, terms)
      const applied = writer.write(changes, embedder)
      if (embedder) appendVectors(database, embedder, writer.vectors)
      if (isCompactionDue(database)) {
        compact(database)
        terms.forget()
      }
      database.prepare(`UPDATE meta SET value = ? WHERE key = 'generation'`).run(generation + 1)
      database.exec(`DELETE FROM meta WHERE key IN ('${LAST_REFRESH}', '${LAST_SCAN}')`)
      terms.end(generation + 1)
      return applied
    })
  } catch (thrown) {
    // The ids may be those of terms that were not written.
    terms.forget()
    throw thrown
  }
}

interface Existing {
  readonly doc: number
  readonly hash: string
}

interface Written {
  readonly fresh: number
  /** Files that the index held already, with another state. */
  readonly touched: number
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
  /** The vectors of the documents that were written, by number. */
  readonly vectors = new Map<number, Uint8Array | undefined>()

  constructor(database: Database, terms: TermIds) {
    this.#statements = new Statements(database)
    this.#terms = terms
    this.#items = new RowWriter(database, 'INSERT INTO item', 21)
    this.#bodies = new RowWriter(database, 'INSERT INTO body', 2)
  }

  write({ remove, touch = [], upsert }: Changes, embedder: LocalEmbedder | undefined): Applied {
    const dead: number[] = []
    for (const path of new Set(remove)) {
      const existing = this.#find(path)
      if (existing) this.#remove(existing.doc, dead)
    }
    const removed = dead.length
    const touched = touch.reduce((sum, file) => sum + this.#touch(file), 0)
    const written =
      upsert instanceof Draft
        ? this.#writeDraft(upsert, dead)
        : this.#writeItems([...new Map(upsert.map(item => [item.path, item])).values()], dead, embedder)
    this.#markDead(dead)
    const updated = dead.length - removed
    return { added: written.fresh - updated, updated, touched: touched + written.touched, removed }
  }

  #writeItems(items: readonly IndexedItem[], dead: number[], embedder: LocalEmbedder | undefined): Written {
    const sum = { fresh: 0, touched: 0 }
    let draft = new Draft(embedder)
    const flush = () => {
      const { fresh, touched } = this.#writeDraft(draft, dead)
      sum.fresh += fresh
      sum.touched += touched
      draft = draft.next()
    }
    for (const item of items) {
      if (this.#find(item.path)?.hash === item.hash) sum.touched += this.#touch(item)
      else draft.add(item)
      if (draft.isFull) flush()
    }
    flush()
    return sum
  }

  #find(path: string): Existing | undefined {
    return this.#statements.get('SELECT doc, hash FROM item WHERE path = ?').get(path) as Existing | undefined
  }

  /** Returns how many rows changed: none, if another process has changed or removed the item since. */
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
    this.#countDead(docs.length)
  }

  #countDead(documents: number): void {
    this.#statements.get(`UPDATE meta SET value = value + ? WHERE key = 'dead'`).run(documents)
  }

  #writeDraft(draft: Draft, dead: number[]): Written {
    const { items } = draft
    if (items.length === 0) return { fresh: 0, touched: 0 }
    // Another process may have written some of them while they were read. Their numbers stay unused.
    const unused = new Set<DraftedItem>()
    const last = new Map(items.map(item => [item.file.path, item]))
    let touched = 0
    for (const item of items) {
      const existing = this.#find(item.file.path)
      if (last.get(item.file.path) !== item) unused.add(item)
      else if (existing?.hash === item.file.hash) touched += this.#touch(item.file)
      else if (existing) this.#remove(existing.doc, dead)
      if (existing?.hash === item.file.hash) unused.add(item)
    }
    this.#append(draft, unused)
    return { fresh: items.length - unused.size, touched }
  }

  #append(draft: Draft, unused: ReadonlySet<DraftedItem>): void {
    const last = this.#chunks().at(-1) ?? { chunk: -1, base: 0, size: 0 }
    const isSmall = last.chunk >= 0 && last.size + draft.items.length <= SMALL_CHUNK
    const place = isSmall ? last : { chunk: last.chunk + 1, base: last.base + last.size, size: 0 }
    const { chunk, base, size } = place
    const columns = this.#readChunk(place, draft.items.length)
    draft.items.forEach((item, index) => {
      const offset = size + index
      const isUsed = !unused.has(item)
      columns.types[offset] = isUsed ? item.type : 0
      columns.lengths.set(item.lengths, offset * FIELD_COUNT)
      columns.keys.set(item.keys, offset * KEYS_SIZE)
      if (draft.embedder) this.vectors.set(base + offset, draft.vectorOf(item))
      if (!isUsed) return
      this.#items.add(base + offset, ...(JSON.parse(item.row) as ItemColumns))
      this.#bodies.add(base + offset, item.body)
    })
    this.#items.flush()
    this.#bodies.flush()
    this.#writeLists(draft, place)
    const lengths = new Uint8Array(columns.lengths.buffer)
    this.#statements
      .get('INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)')
      .run(chunk, base, columns.types, lengths, columns.keys)
    this.#countDead(unused.size)
  }

  /** The columns of a chunk, with room for more documents. */
  #readChunk({ chunk, size }: Chunk, more: number) {
    const types = new Uint8Array(size + more)
    const lengths = new Uint32Array(types.length * FIELD_COUNT)
    const keys = new Uint8Array(types.length * KEYS_SIZE)
    if (size === 0) return { types, lengths, keys }
    const old = this.#statements
      .get('SELECT types, lengths, keys FROM chunk WHERE chunk = ?')
      .get(chunk) as unknown as Record<'types' | 'lengths' | 'keys', Uint8Array>
    checkLengths(old.lengths, size)
    types.set(old.types)
    new Uint8Array(lengths.buffer).set(old.lengths)
    keys.set(old.keys)
    return { types, lengths, keys }
  }

  #writeLists({ words }: Draft, { chunk, size }: Chunk): void {
    const present = words.present()
    const terms = this.#terms.idsOf(words.numbers, present)
    present.sort((a, b) => terms[a]! - terms[b]!)
    const lists = new ListWriter(this.#statements, chunk, size)
    words.visitLists(present, (word, list) => lists.add(terms[word]!, list))
    lists.flush()
  }

  #chunks(): Chunk[] {
    return this.#statements.all<Chunk>('SELECT chunk, base, length(types) AS size FROM chunk ORDER BY chunk')
  }
}
