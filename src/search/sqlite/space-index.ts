// The index of one space: its database, reopened when another process replaced it, and recreated when it is
// damaged.
import { AppError } from '../../base/index.ts'
import { acquireMutex } from '../../files/index.ts'
import type { Embedder, LocalEmbedder } from '../meaning/embedder.ts'
import type { TableTotals } from '../rank/score.ts'
import { inodeOf, inTransaction, isDamage, MEMORY, openDatabase, removeDatabase } from './database.ts'
import type { Applied, KnownFew, KnownFile, LastRefresh } from './indexed-item.ts'
import type { Database, OpenSqlite } from './load-sqlite.ts'
import { ID_RANKS, packRanks } from './read/item-columns.ts'
import { findKnownFile, readKnownFiles } from './read/known-files.ts'
import { LexiconLoader } from './read/lexicon-loader.ts'
import { SpaceReader } from './read/space-reader.ts'
import type { Statement } from './statements.ts'
import { appendVectors, countMissing } from './write/append-vectors.ts'
import type { Changes } from './write/changes.ts'
import { type EmbedBounds, type Embedded, embedItems } from './write/embed-items.ts'
import { TermIds } from './write/term-ids.ts'
import { LAST_REFRESH, LAST_SCAN, writeChanges } from './write/write-changes.ts'

/** When nobody can tell whether the process that embeds is alive, it is taken for dead after this. */
const LOCK_MS = 900_000
/** Keeps a value, unless another process has written since. */
const KEEP = `INSERT OR REPLACE INTO meta SELECT ?, ? FROM meta WHERE key = 'generation' AND value = ?`
const GENERATION = `SELECT value FROM meta WHERE key = 'generation'`

export class SpaceIndex {
  readonly #open: OpenSqlite
  readonly #locate: () => string
  #path: string
  #database: Database
  #inode: string
  #lexicon: LexiconLoader
  #terms: TermIds
  #generationStatement: Statement
  #generation = 0
  #reader: SpaceReader | undefined
  /** Replaced since `known` or `knownFew` was last called, so it may not be filled again yet. */
  #replaced = false
  /** The generation and the model for which all items have their vectors. */
  #completed = ''
  /**
   * The generation in which `known` or `knownFew` was called, or the one that our own changes made of it.
   * Undefined when another process may have written since.
   */
  #surveyed: number | undefined
  #known: { readonly generation: number; readonly files: ReadonlyMap<string, KnownFile> } | undefined

  constructor(open: OpenSqlite, path: string, locate: () => string) {
    this.#open = open
    this.#path = path
    this.#locate = locate
    this.#database = openDatabase(open, path)
    this.#inode = this.#fileInode()
    this.#lexicon = new LexiconLoader(this.#database)
    this.#terms = new TermIds(this.#database)
    this.#generationStatement = this.#database.prepare(GENERATION)
  }

  /** Every file in the index. The map is shared until something changes. */
  known(): ReadonlyMap<string, KnownFile> {
    return this.#recovering(() => {
      const generation = this.#survey()
      if (this.#known?.generation === generation) return this.#known.files
      const files = readKnownFiles(this.#database)
      this.#known = { generation, files }
      return files
    })
  }

  /** For looking up a few files: reading all takes longer. */
  knownFew(): KnownFew {
    return this.#recovering(() => {
      this.#survey()
      const unsettled = this.#database.prepare('SELECT path FROM item WHERE ctime IS NULL').all()
      return {
        unsettled: unsettled.map(({ path }) => String(path)),
        find: path => this.#recovering(() => findKnownFile(this.#database, path)),
      }
    })
  }

  /** Remembers the generation: what is kept later is about it, or about what our changes make of it. */
  #survey(): number {
    this.#replaced = false
    this.#surveyed = this.#readGeneration()
    return this.#surveyed
  }

  /** Writes all changes or none, with the vectors of new items, if there is an embedder for them. */
  apply(changes: Changes, embedder?: LocalEmbedder): Applied {
    return this.#recovering(() => {
      const before = this.#readGeneration()
      const applied = writeChanges(this.#database, changes, { terms: this.#terms, embedder })
      const isOurs = before === this.#surveyed && this.#readGeneration() === before + 1
      this.#surveyed = isOurs ? before + 1 : undefined
      return applied
    })
  }

  lastRefresh(): LastRefresh | undefined {
    return this.#recovering(() => {
      const row = this.#database.prepare(`SELECT value FROM meta WHERE key = '${LAST_REFRESH}'`).get() as
        | { value: string }
        | undefined
      if (row) this.#replaced = false
      return row && JSON.parse(row.value)
    })
  }

  keepRefresh(refresh: LastRefresh): void {
    this.#recovering(() => {
      if (this.#surveyed === undefined) return
      // If another process has put a new database there, `begin` opens it, and nothing is surveyed any more.
      const { totals, items } = this.begin()
      const ranks = items.idRanks()
      this.end()
      const generation = this.#surveyed
      if (generation === undefined) return
      const keep = this.#database.prepare(KEEP)
      keep.run(LAST_REFRESH, JSON.stringify(refresh), generation)
      keep.run('totals', JSON.stringify({ generation, totals }), generation)
      keep.run(ID_RANKS, packRanks(generation, ranks), generation)
    })
  }

  lastScan(): Uint8Array | undefined {
    return this.#recovering(() => {
      const row = this.#database.prepare(`SELECT value FROM meta WHERE key = '${LAST_SCAN}'`).get()
      return row?.value as Uint8Array | undefined
    })
  }

  keepScan(scan: Uint8Array): void {
    this.#recovering(() => {
      if (this.#surveyed === undefined) return
      this.#database.prepare(KEEP).run(LAST_SCAN, scan, this.#surveyed)
    })
  }

  keepFindStamp({ walkStamp, findStamp }: Pick<Required<LastRefresh>, 'walkStamp' | 'findStamp'>): void {
    this.#recovering(() => {
      this.#database
        .prepare(
          `UPDATE meta SET value = json_set(value, '$.findStamp', ?)
          WHERE key = '${LAST_REFRESH}' AND value ->> 'walkStamp' = ?`,
        )
        .run(findStamp, walkStamp)
    })
  }

  /** Begins a read transaction; `end` must follow. Throws what `isDamage` accepts if it is damaged. */
  begin(): SpaceReader {
    this.#reopenIfReplaced()
    this.#terms.forget()
    this.#database.exec('BEGIN')
    const generation = this.#readGeneration()
    if (this.#reader === undefined || generation !== this.#generation) {
      const totals = this.#readTotals(generation)
      this.#reader = new SpaceReader(this.#database, { generation, lexicon: this.#lexicon, totals })
      this.#generation = generation
    }
    return this.#reader
  }

  end(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }

  /** Embeds items that have no suitable vector of the embedder's model yet. */
  embed(embedder: Embedder, bounds: EmbedBounds): Promise<Embedded> {
    const use = <T>(run: (database: Database) => T) => this.#recovering(() => run(this.#database))
    const hold = (waitMs: number, signal: AbortSignal | undefined) => this.#holdVectors(waitMs, signal)
    return embedItems({ use, hold }, embedder, bounds)
  }

  async #holdVectors(
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<{ release(): void } | undefined> {
    const nothing = { release() {} }
    if (this.#path === MEMORY) return nothing
    try {
      return await acquireMutex(`${this.#path}.embedding`, { waitMs, signal, holdMs: LOCK_MS })
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      if (thrown.code === 'EXECUTION_TIMEOUT') return undefined
      signal?.throwIfAborted()
      // Without a mutex some texts may be asked for twice, which does no harm.
      return nothing
    }
  }

  /** Makes the vectors of items that were indexed without the embedder. The next search gets a new reader. */
  complete(embedder: LocalEmbedder): void {
    // What other processes wrote since the last search is checked after the next one: they make vectors too,
    // or were told not to.
    if (this.#completed === `${this.#generation} ${embedder.model}`) return
    this.#recovering(() => {
      const state = `${this.#readGeneration()} ${embedder.model}`
      if (state === this.#completed) return
      if (countMissing(this.#database, embedder) > 0) {
        inTransaction(this.#database, () => appendVectors(this.#database, embedder))
        this.#reader = undefined
      }
      this.#completed = state
    })
  }

  /** Whether items may be missing because the database was recreated, here or in another process. */
  get wasReplaced(): boolean {
    return this.#replaced
  }

  /** Whether SQLite finds no damage in the whole database. */
  isSound(): boolean {
    try {
      const check = this.#database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
      return check.quick_check === 'ok'
    } catch {
      // A database that cannot be checked is damaged.
      return false
    }
  }

  /** Deletes the database and creates an empty one. */
  reset(): void {
    this.end()
    this.close()
    if (this.#path !== MEMORY) removeDatabase(this.#path, this.#inode)
    this.#reopen()
  }

  keepInMemory(): void {
    this.end()
    this.close()
    this.#reopen(MEMORY)
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  /** Runs a function, and again on an empty database if the one there is damaged. */
  #recovering<T>(run: () => T): T {
    this.#reopenIfReplaced()
    try {
      return run()
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown
      this.reset()
      return run()
    }
  }

  #reopenIfReplaced(): void {
    if (this.#database.isOpen && this.#fileInode() === this.#inode) return
    this.close()
    this.#reopen()
  }

  #reopen(path = this.#path === MEMORY ? MEMORY : this.#locate()): void {
    this.#path = path
    this.#database = openDatabase(this.#open, path)
    this.#inode = this.#fileInode()
    this.#lexicon = new LexiconLoader(this.#database)
    this.#terms = new TermIds(this.#database)
    this.#generationStatement = this.#database.prepare(GENERATION)
    this.#reader = undefined
    this.#known = undefined
    this.#completed = ''
    this.#surveyed = undefined
    this.#replaced = true
  }

  /** Empty for a database in memory, where no file can be replaced. */
  #fileInode(): string {
    return this.#database.location() === null ? '' : inodeOf(this.#path)
  }

  /** Stored, because adding up a large table after a start takes longer than the rest of a search. */
  #readTotals(generation: number): TableTotals | undefined {
    const row = this.#database.prepare(`SELECT value FROM meta WHERE key = 'totals'`).get() as
      | { value: string }
      | undefined
    const kept: { generation: number; totals: TableTotals } | undefined = row && JSON.parse(row.value)
    return kept?.generation === generation ? kept.totals : undefined
  }

  #readGeneration(): number {
    const row = this.#generationStatement.get() as { value: number }
    return row.value
  }
}
