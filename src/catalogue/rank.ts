// Candidates of a catalogue, ranked as local items are: they become a small space of their own, which takes part in a search with what is
// known of the whole collection.
import type { ItemType } from '../item/index.ts'
import {
  type DocumentReader,
  type LocalEmbedder,
  MemorySpace,
  type OpenSpace,
  type SearchAnswer,
  type SearchRequest,
  searchAlone,
} from '../search/index.ts'
import type { Candidate } from './row.ts'
import type { FoundCandidates } from './table/items-table.ts'

const SPACE = 'shared'

export interface RankedGuest extends Required<OpenSpace> {
  /** The candidate of a row. */
  find(row: { readonly type: ItemType; readonly id: string }): Candidate | undefined
}

/** `reader` remembers what it has read. */
export function openCandidates(
  { candidates, statistics }: FoundCandidates,
  reader: DocumentReader,
  embedder: LocalEmbedder | undefined,
): RankedGuest {
  const items = candidates.map(({ type, digest, signer, extension, document }) => ({
    ...{ type, hash: `${digest}-`, mayBeSigned: signer !== '', extension, document },
  }))
  const byName = new Map(candidates.map(candidate => [`${candidate.type}:${candidate.id}`, candidate]))
  return {
    space: SPACE,
    reader: new MemorySpace(reader, items, embedder),
    statistics: { ...statistics, documents: Math.max(statistics.documents, candidates.length) },
    find: ({ type, id }) => byName.get(`${type}:${id}`),
  }
}

/** The candidates alone, without any local space. */
export function searchGuest(guest: RankedGuest, request: SearchRequest): SearchAnswer {
  return searchAlone(guest, { ...request, spaces: [SPACE] })
}
