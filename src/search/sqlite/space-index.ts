// The index of one space: its database, opened again when another process replaced it, made anew when it is damaged.

import type { Embedder } from '../meaning/http-embedder.ts'
import type { TableTotals } from '../rank/score.ts'
import {
  type Database,
  inodeOf,
  isDamage,
  MEMORY,
  type OpenSqlite,
  openDatabase,
  removeDatabase,
} from './database.ts'
import type { Applied, Changes, KnownFile, LastRefresh, TouchedFile } from './indexed-item.ts'
import { ID_RANKS, packRanks } from './item-columns.ts'
import { LexiconLoader } from './lexicon-loader.ts'
import { SpaceReader } from './space-reader.ts'
import { TermIds } from './term-ids.ts'
import { type EmbedBounds, type Embedded, embedMissing } from './vectors.ts'
import { LAST_REFRESH, writeChanges } from './write-changes.ts'

const GENERATION = `SELECT value FROM meta WHERE key = 'generation'`

export class SpaceIndex {
  readonly #open: OpenSqlite
  readonly #locate: () => string
  #path: string
  #database: Database
  #inode: string
  #lexicon: LexiconLoader
  #terms: TermIds
  #generationStatement: ReturnType<Database['prepare']>
  #generation = 0
  #reader: SpaceReader | undefined
  /** The database was replaced since `known` was last asked: nobody has filled it again on our word. */
  #replaced = false
  /** The generation in which `known` was asked, or that our own writing made of it. */
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

  /** Every file that the index holds. The map is shared until something changes. */
  known(): ReadonlyMap<string, KnownFile> {
    return this.#mended(() => {
      this.#replaced = false
      const generation = this.#readGeneration()
      this.#surveyed = generation
      if (this.#known?.generation === generation) return this.#known.files
      const rows = this.#database
        .prepare('SELECT path, size, mtime AS mtimeMs, ctime AS ctimeMs, inode, hash FROM item')
        .all() as unknown as TouchedFile[]
      const files = new Map(
        rows.map(({ path, size, mtimeMs, ctimeMs, inode, hash }) => [
          path,
          { size, mtimeMs, ctimeMs, inode, hash },
        ]),
      )
      this.#known = { generation, files }
      return files
    })
  }

  /** Writes all changes or none. */
  apply(changes: Changes): Applied {
    return this.#mended(() => {
      const before = this.#readGeneration()
      const applied = writeChanges(this.#database, changes, this.#terms)
      const isOurs = before === this.#surveyed && this.#readGeneration() === before + 1
      this.#surveyed = isOurs ? before + 1 : undefined
      return applied
    })
  }

  lastRefresh(): LastRefresh | undefined {
    return this.#mended(() => {
      const row = this.#database.prepare(`SELECT value FROM meta WHERE key = '${LAST_REFRESH}'`).get() as
        | { value: string }
        | undefined
      if (row) this.#replaced = false
      return row && JSON.parse(row.value)
    })
  }

  keepRefresh(refresh: LastRefresh): void {
    this.#mended(() => {
      const generation = this.#surveyed
      if (generation === undefined) return
      const keep = this.#database.prepare(
        `INSERT OR REPLACE INTO meta SELECT ?, ? FROM meta WHERE key = 'generation' AND value = ?`,
      )
      keep.run(LAST_REFRESH, JSON.stringify(refresh), generation)
      const { totals, items } = this.begin()
      const ranks = items.idRanks()
      this.end()
      keep.run('totals', JSON.stringify({ generation, totals }), generation)
      keep.run(ID_RANKS, packRanks(generation, ranks), generation)
    })
  }

  keepFindStamp({ walkStamp, findStamp }: Pick<Required<LastRefresh>, 'walkStamp' | 'findStamp'>): void {
    this.#mended(() => {
      this.#database
        .prepare(
          `UPDATE meta SET value = json_set(value, '$.findStamp', ?)
          WHERE key = '${LAST_REFRESH}' AND value ->> 'walkStamp' = ?`,
        )
        .run(findStamp, walkStamp)
    })
  }

  /** Begins a view that no writer disturbs; `end` must follow. Throws what `isDamage` knows when the database is bad. */
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

  /** Embeds items that have no fitting vector of the embedder's model yet. */
  embed(embedder: Embedder, bounds: EmbedBounds): Promise<Embedded> {
    return embedMissing(run => this.#mended(() => run(this.#database)), embedder, bounds)
  }

  /** Whether items may be missing because the database began anew, here or in another process. */
  get wasReplaced(): boolean {
    return this.#replaced
  }

  /** Whether SQLite finds no fault in the whole database. */
  isSound(): boolean {
    try {
      const check = this.#database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
      return check.quick_check === 'ok'
    } catch {
      // A database that cannot even be checked is what is asked for.
      return false
    }
  }

  /** Throws the damaged database away and begins an empty one. */
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

  #mended<T>(run: () => T): T {
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
    this.#surveyed = undefined
    this.#replaced = true
  }

  /** In memory there is no file to lose. */
  #fileInode(): string {
    return this.#database.location() === null ? '' : inodeOf(this.#path)
  }

  /** To add up a large table takes a cold start longer than all else that it reads. */
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
