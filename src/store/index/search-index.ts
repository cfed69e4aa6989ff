// The index of all spaces that a search sees. Each space has a database of its own, so the user's items are indexed once for
// all projects, and the system's once for all users of a machine account.
import { precedenceOf, type Space } from '../../item/index.ts'
import { isDamage, loadSqlite, type OpenSqlite } from './database.ts'
import type { Applied, Changes, KnownFile } from './indexed-item.ts'
import { type OpenSpace, runSearch } from './run-search.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'
import { SpaceIndex } from './space-index.ts'

/** Opens the index of each space at its path; what is missing or damaged there begins empty. */
export async function openIndex(paths: ReadonlyMap<Space, string>): Promise<SearchIndex> {
  return new SearchIndex(await loadSqlite(), paths)
}

export class SearchIndex {
  readonly #spaces: readonly { readonly space: Space; readonly index: SpaceIndex }[]

  constructor(open: OpenSqlite, paths: ReadonlyMap<Space, string>) {
    this.#spaces = [...paths]
      .map(([space, path]) => ({ space, index: new SpaceIndex(open, path) }))
      .sort((a, b) => precedenceOf(a.space) - precedenceOf(b.space))
  }

  /** Every file that the index of a space holds, by path. */
  known(space: Space): ReadonlyMap<string, KnownFile> {
    return this.#of(space).known()
  }

  /** Writes all changes to a space, or none. */
  apply(space: Space, changes: Changes): Applied {
    return this.#of(space).apply(changes)
  }

  search(request: SearchRequest): SearchAnswer {
    const damaged: SpaceIndex[] = []
    try {
      const open: OpenSpace[] = []
      for (const { space, index } of this.#spaces) {
        damaged.push(index)
        open.push({ space, reader: index.begin() })
      }
      return runSearch(open, request)
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown
      return this.#resetAll()
    } finally {
      for (const { index } of this.#spaces) index.end()
    }
  }

  close(): void {
    for (const { index } of this.#spaces) index.close()
  }

  /** Which space is damaged is not worth finding out: all are quickly made again. */
  #resetAll(): SearchAnswer {
    for (const { index } of this.#spaces) {
      index.end()
      index.reset()
    }
    const reset = this.#spaces.map(({ space }) => space)
    return { rows: [], total: 0, capped: [], unknown: [], reset }
  }

  #of(space: Space): SpaceIndex {
    const found = this.#spaces.find(entry => entry.space === space)
    if (!found) throw new Error(`unreachable: no index of the ${space} space is open`)
    return found.index
  }
}
