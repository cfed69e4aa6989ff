// What a search asks of a catalogue, from what it asks of the local index.
import { askedWords, type SearchRequest } from '../search/index.ts'
import type { FoundCandidates, ItemsTable } from './table/items-table.ts'

/** `vector` is that of the built-in model: the rows have no other. */
export function askCatalogue(
  table: ItemsTable,
  request: SearchRequest,
  vector: Float32Array | undefined,
): Promise<FoundCandidates> {
  return table.candidates({ ...askedWords(request), vector, scope: request.scope })
}
