// Turns what a search asks of the local index into what it asks of a catalogue.
import { askedWords, type SearchRequest } from '../search/index.ts'
import type { FoundCandidates, ItemsTable } from './table/items-table.ts'

/** `vector` must come from the built-in model: the rows have no other vectors. */
export function askCatalogue(
  table: ItemsTable,
  request: SearchRequest,
  vector: Float32Array | undefined,
): Promise<FoundCandidates> {
  return table.candidates({ ...askedWords(request), vector, scope: request.scope })
}
