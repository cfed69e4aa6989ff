// A library of three spaces with an index in memory, new for each test.
import { afterEach, beforeEach } from 'vitest'
import type { Space } from '../../src/item/space.ts'
import type { SearchAnswer, SearchRequest } from '../../src/search/answer/search-request.ts'
import { MEMORY } from '../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../src/search/sqlite/search-index.ts'
import { type Draft, itemOf, requestOf } from './sqlite/library.ts'

const SPACES: readonly Space[] = ['project', 'user', 'system']

export interface MemoryLibrary {
  fill(space: Space, ...drafts: readonly Draft[]): void
  search(text: string, changes?: Partial<SearchRequest>): SearchAnswer
  /** Starts again with nothing in it. */
  empty(): Promise<void>
}

export function useMemoryLibrary(): MemoryLibrary {
  let index: SearchIndex
  const open = async () => {
    index = await openIndex(new Map(SPACES.map(space => [space, MEMORY])))
  }
  beforeEach(open)
  afterEach(() => index.close())
  return {
    fill: (space, ...drafts) =>
      index.apply(space, { upsert: drafts.map(draft => itemOf(draft)), remove: [] }),
    search: (text, changes) => index.search(requestOf(text, changes)),
    async empty() {
      index.close()
      await open()
    },
  }
}
