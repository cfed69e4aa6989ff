// Candidates of a catalogue, ranked as local items are: they become a small index of their own, which takes part in a search with what is
// known of the whole collection.
import type { ItemType } from '../item/index.ts'
import {
  type GuestIndex,
  type LocalEmbedder,
  MEMORY,
  openIndex,
  type SearchAnswer,
  type SearchRequest,
} from '../search/index.ts'
import type { Candidate } from './row.ts'
import type { FoundCandidates } from './table/items-table.ts'

const SPACE = 'shared'

export interface RankedGuest extends GuestIndex {
  /** The candidate of a row. */
  find(row: { readonly type: ItemType; readonly id: string }): Candidate | undefined
  close(): void
}

export async function indexCandidates(
  { candidates, statistics }: FoundCandidates,
  embedder: LocalEmbedder | undefined,
): Promise<RankedGuest> {
  const index = await openIndex(new Map([[SPACE, MEMORY]]))
  const upsert = candidates.map(({ type, id, extension, digest, signer, document }) => ({
    ...{ path: `${type}/${id}`, size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 },
    hash: `${digest}-`,
    mayBeSigned: signer !== '',
    extension,
    document,
  }))
  index.apply(SPACE, { upsert, remove: [] }, embedder)
  const byName = new Map(candidates.map(candidate => [`${candidate.type}:${candidate.id}`, candidate]))
  return {
    index,
    statistics: { ...statistics, documents: Math.max(statistics.documents, candidates.length) },
    find: ({ type, id }) => byName.get(`${type}:${id}`),
    close: () => index.close(),
  }
}

/** The candidates alone, without any local space. */
export function searchGuest(guest: RankedGuest, request: SearchRequest): SearchAnswer {
  return guest.index.searchAlone({ ...request, spaces: [SPACE] }, guest.statistics)
}
