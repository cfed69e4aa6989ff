// Searches one space in memory by itself.
import { findCopies } from '../answer/copies.ts'
import { runSearch } from '../answer/run-search.ts'
import type { SearchAnswer, SearchRequest } from '../answer/search-request.ts'
import type { OpenSpace } from '../answer/stored-space.ts'

export function searchAlone(space: OpenSpace, request: SearchRequest): SearchAnswer {
  const copies = () => findCopies([space.reader.copyKeys()])
  return { ...runSearch([space], request, copies), reset: [] }
}
