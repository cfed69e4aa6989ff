// Ranks candidates of a catalogue like local items: they become a small space of their own, which takes part
// in a search with the word counts of the whole collection.
import type { ItemType } from '../item/index.ts'
import {
  boundDocuments,
  type DocumentReader,
  type LocalEmbedder,
  MemorySpace,
  type OpenSpace,
  type SearchAnswer,
  type SearchRequest,
  searchAlone,
} from '../search/index.ts'
import type { Candidate } from './row.ts'
import { byRoot } from './table/find-rows.ts'
import type { FoundCandidates } from './table/items-table.ts'

const SPACE = 'shared'
/**
 * Characters that are read from all candidates of one search, during which nothing else is answered. Honest
 * candidates have a tenth of this together; of longer ones only the beginning is searched.
 */
const MOST_READ = 4_000_000

export interface RankedGuest extends Required<OpenSpace> {
  /** The candidate of a row. */
  find(row: { readonly type: ItemType; readonly id: string }): Candidate | undefined
}

export interface OpenOptions {
  /** Remembers the documents it has read. */
  readonly reader: DocumentReader
  readonly embedder: LocalEmbedder | undefined
  /**
   * Whether a candidate can be used. Decides between several of the same type and id: anybody can put a row
   * under any id.
   */
  readonly isTrusted: (candidate: Candidate) => boolean
}

export function openCandidates(
  { candidates: found, statistics }: FoundCandidates,
  { reader, embedder, isTrusted }: OpenOptions,
): RankedGuest {
  const candidates = oneOfEach(found, isTrusted)
  const documents = boundDocuments(
    candidates.map(({ document }) => document),
    MOST_READ,
  )
  const items = candidates.map(({ type, digest, signer, extension }, at) => ({
    ...{ type, hash: `${digest}-`, mayBeSigned: signer !== '', extension, document: documents[at]! },
  }))
  const byName = new Map(candidates.map(candidate => [`${candidate.type}:${candidate.id}`, candidate]))
  return {
    space: SPACE,
    reader: new MemorySpace(reader, items, embedder),
    statistics: { ...statistics, documents: Math.max(statistics.documents, candidates.length) },
    find: ({ type, id }) => byName.get(`${type}:${id}`),
  }
}

/** Of several with the same type and id, takes the first trusted one, or else the first. */
function oneOfEach(
  candidates: readonly Candidate[],
  isTrusted: OpenOptions['isTrusted'],
): readonly Candidate[] {
  const byName = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const name = `${candidate.type}:${candidate.id}`
    const others = byName.get(name)
    if (others) others.push(candidate)
    else byName.set(name, [candidate])
  }
  return [...byName.values()].map(rows =>
    rows.length === 1 ? rows[0]! : (rows.sort(byRoot).find(isTrusted) ?? rows[0]!),
  )
}

/** Searches the candidates alone, without any local space. */
export function searchGuest(guest: RankedGuest, request: SearchRequest): SearchAnswer {
  return searchAlone(guest, { ...request, spaces: [SPACE] })
}
