// The index of all spaces of a search. Each space has its own database, so that the user's items are indexed
// once for all projects, and the system's once for all users of an account.
import { precedenceOf, type Space } from '../../item/index.ts'
import { type Copies, findCopies } from '../answer/copies.ts'
import { runSearch } from '../answer/run-search.ts'
import type { SearchAnswer, SearchRequest } from '../answer/search-request.ts'
import type { OpenSpace } from '../answer/stored-space.ts'
import type { Embedder, LocalEmbedder } from '../meaning/embedder.ts'
import { isDamage, MEMORY } from './database.ts'
import type { Applied, KnownFew, KnownFile, LastRefresh } from './indexed-item.ts'
import { loadSqlite, type OpenSqlite } from './load-sqlite.ts'
import { placePrebuilt } from './place-prebuilt.ts'
import { SpaceIndex } from './space-index.ts'
import type { Changes } from './write/changes.ts'
import type { EmbedBounds, Embedded } from './write/embed-items.ts'

/** The path of the index of each space. */
export type IndexPaths = ReadonlyMap<Space, string>

export interface OpenIndexOptions {
  /** Called again when a file has to be recreated: its folder may be gone, or belong to someone else now. */
  readonly locate?: () => IndexPaths
  /** Indexes to begin with for spaces that have none yet. */
  readonly prebuilt?: IndexPaths
}

/**
 * Opens the index of each space. A missing one begins as the prebuilt one, or empty; a damaged one begins
 * empty.
 */
export async function openIndex(paths: IndexPaths, options: OpenIndexOptions = {}): Promise<SearchIndex> {
  const { locate = () => paths, prebuilt = new Map() } = options
  const open = await loadSqlite()
  for (const [space, path] of prebuilt) placePrebuilt(open, path, paths.get(space) ?? MEMORY)
  return new SearchIndex(open, paths, locate)
}

/** The guest replaces what this index has of the same space, which is only a part of what the guest has. */
function joinGuest(own: readonly OpenSpace[], guest: OpenSpace): OpenSpace[] {
  return [...own.filter(({ space }) => space !== guest.space), guest].sort(
    (a, b) => precedenceOf(a.space) - precedenceOf(b.space),
  )
}

export class SearchIndex {
  readonly #spaces: readonly { readonly space: Space; readonly index: SpaceIndex }[]
  /** The last search found damage. If the next one does too, the file is not the cause. */
  #wasDamaged = false
  /**
   * The copies found by the last search that asked for them. They hold for its readers, each of one
   * generation.
   */
  #copies: { readonly readers: readonly unknown[]; readonly found: Copies } | undefined

  constructor(open: OpenSqlite, paths: IndexPaths, locate: () => IndexPaths) {
    this.#spaces = [...paths]
      .map(([space, path]) => ({
        space,
        index: new SpaceIndex(open, path, () => locate().get(space) ?? path),
      }))
      .sort((a, b) => precedenceOf(a.space) - precedenceOf(b.space))
  }

  /** Every file in the index of a space, by path. */
  known(space: Space): ReadonlyMap<string, KnownFile> {
    return this.#of(space).known()
  }

  /** For looking up a few files of a space: reading all takes longer. */
  knownFew(space: Space): KnownFew {
    return this.#of(space).knownFew()
  }

  /** What `keepRefresh` kept, unless something was written to the space since. */
  lastRefresh(space: Space): LastRefresh | undefined {
    return this.#of(space).lastRefresh()
  }

  /**
   * Records that the space holds all files of the stamps. Nothing is kept when another process wrote since
   * `known` was called.
   */
  keepRefresh(space: Space, refresh: LastRefresh): void {
    this.#of(space).keepRefresh(refresh)
  }

  /** What `keepScan` kept, unless something was written to the space since. */
  lastScan(space: Space): Uint8Array | undefined {
    return this.#of(space).lastScan()
  }

  /**
   * Keeps whatever helps the caller to tell what has changed since. Nothing is kept when another process
   * wrote since `known` was called.
   */
  keepScan(space: Space, scan: Uint8Array): void {
    this.#of(space).keepScan(scan)
  }

  /** Adds the `findStamp` that was made before a walk that found the files of `walkStamp`. */
  keepFindStamp(space: Space, stamps: Pick<Required<LastRefresh>, 'walkStamp' | 'findStamp'>): void {
    this.#of(space).keepFindStamp(stamps)
  }

  /** Writes all changes to a space, or none. With an embedder, new items get their vectors at once. */
  apply(space: Space, changes: Changes, embedder?: LocalEmbedder): Applied {
    return this.#of(space).apply(changes, embedder)
  }

  /** Makes the vectors of items that were indexed without the embedder. */
  complete(embedder: LocalEmbedder): void {
    for (const { index } of this.#spaces) index.complete(embedder)
  }

  /** Embeds the items of a space that have no suitable vector yet, within the bounds. */
  embed(space: Space, embedder: Embedder, bounds: EmbedBounds): Promise<Embedded> {
    return this.#of(space).embed(embedder, bounds)
  }

  /** A guest is searched as one more space: the candidates from a larger collection. */
  search(request: SearchRequest, guest?: OpenSpace): SearchAnswer {
    try {
      const own = this.#spaces.map(({ space, index }) => ({ space, reader: index.begin() }))
      const open = guest ? joinGuest(own, guest) : own
      const replaced = this.#spaces.filter(({ index }) => index.wasReplaced)
      const found = runSearch(open, request, () => this.#copiesIn(open))
      const answer = { ...found, reset: replaced.map(({ space }) => space) }
      this.#wasDamaged = false
      return answer
    } catch (thrown) {
      if (!isDamage(thrown) || this.#wasDamaged) throw thrown
      this.#wasDamaged = true
      const nothing = {
        rows: [],
        total: 0,
        weaker: 0,
        unsigned: 0,
        byMeaning: false,
        capped: [],
        unknown: [],
      }
      return { ...nothing, reset: this.#resetDamaged() }
    } finally {
      for (const { index } of this.#spaces) index.end()
    }
  }

  /** Empties the index of every space. Other processes notice, and fill it again as we do. */
  clear(): void {
    for (const { index } of this.#spaces) index.reset()
  }

  /** Keeps the index of a space in memory, without a file, until this process ends. */
  keepInMemory(space: Space): void {
    this.#of(space).keepInMemory()
  }

  close(): void {
    for (const { index } of this.#spaces) index.close()
  }

  #copiesIn(open: readonly OpenSpace[]): Copies {
    const readers = open.map(({ reader }) => reader)
    if (this.#copies === undefined || readers.some((reader, at) => reader !== this.#copies?.readers[at]))
      this.#copies = { readers, found: findCopies(readers.map(reader => reader.copyKeys())) }
    return this.#copies.found
  }

  /** Empties the index of each damaged space; of all, when SQLite finds no damage in any. */
  #resetDamaged(): Space[] {
    const damaged = this.#spaces.filter(({ index }) => !index.isSound())
    const reset = damaged.length > 0 ? damaged : this.#spaces
    for (const { index } of reset) index.reset()
    return reset.map(({ space }) => space)
  }

  #of(space: Space): SpaceIndex {
    const found = this.#spaces.find(entry => entry.space === space)
    if (!found) throw new Error(`unreachable: no index of the ${space} space is open`)
    return found.index
  }
}
