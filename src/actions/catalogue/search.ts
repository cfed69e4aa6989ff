// Searches only a catalogue, ranked like a local search. What a row says about its item is shown only when
// the item's bytes say the same.
import {
  askCatalogue,
  type Candidate,
  openCandidates,
  outdatedWarning,
  searchGuest,
} from '../../catalogue/index.ts'
import { readQuery } from '../../query/index.ts'
import { DocumentReader, isQuestion } from '../../search/index.ts'
import { checkCandidate, isVerified, knownMeanings } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { readInput } from '../definition/read-input.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { SEARCH_FIELDS } from '../items/search/fields.ts'
import { makeRequest, readScope } from '../items/search/make-request.ts'
import { openTable, tableUri } from './fields.ts'

const { query, item_type, limit, scope, match } = SEARCH_FIELDS
const CATALOGUE_FIELDS = {
  ...{ query, table: tableUri, item_type, limit, scope, match },
  project_path: projectPath,
} as const satisfies Fields

export type CatalogueSearchInput = CallInput<typeof CATALOGUE_FIELDS>

export interface CatalogueResult {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly description: string
  readonly score: number
  readonly root: string
  /** Fingerprint of the key named by its signature; empty without one. */
  readonly signer: string
  /** The verdict under the keys that you trust. */
  readonly trust: string
  readonly reason?: string
  readonly digest: string
  readonly source?: string
  readonly commit?: string
}

export interface CatalogueSearchAnswer {
  readonly query: string
  readonly table: string
  readonly results: readonly CatalogueResult[]
  /** Counts only the candidates, which are the nearest by words and by meaning. */
  readonly total: number
  /** Items in the table. */
  readonly items: number
  readonly warning?: string
}

export const catalogueSearch = defineAction({
  name: 'catalogue search',
  description: 'Search the table of a catalogue, ranked as a local search is.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  forPeople: true,
  fields: CATALOGUE_FIELDS,
  run: async (context, { table: uri, ...input }): Promise<CatalogueSearchAnswer> => {
    const workspace = await context.library.open(input.project_path)
    // Fields of `search` that are not offered here take their defaults.
    const whole = readInput(SEARCH_FIELDS, input, context.caller) as Parameters<typeof makeRequest>[1]
    const request = makeRequest(workspace, whole, readQuery(input.query).query, readScope(whole))
    const { embedder } = (await knownMeanings(context.library)).builtIn()
    const values = isQuestion(request.query, request) ? embedder?.embedQuestion(request.text) : undefined
    const table = openTable(context, uri)
    try {
      const found = await askCatalogue(table, request, values)
      const isTrusted = (candidate: Candidate) => isVerified(workspace, candidate)
      const guest = openCandidates(found, { reader: new DocumentReader(), embedder, isTrusted })
      const asked = values && embedder ? { ...request, vector: { model: embedder.model, values } } : request
      const { rows, total } = searchGuest(guest, asked)
      const results = await Promise.all(
        rows.map(async ({ type, id, score }): Promise<CatalogueResult> => {
          const candidate = guest.find({ type, id })!
          const { verdict, document } = await checkCandidate(workspace, candidate)
          const { root, signer, digest, source, commit } = candidate
          return {
            ...{
              id,
              type,
              title: document?.title ?? '',
              description: document?.description ?? '',
              score,
              root,
            },
            ...{
              signer,
              trust: verdict.status,
              ...(verdict.reason !== undefined && { reason: verdict.reason }),
            },
            digest: `sha256:${digest}`,
            ...(source !== '' && { source }),
            ...(commit !== '' && { commit }),
          }
        }),
      )
      return {
        ...{ query: input.query, table: uri, results, total, items: guest.statistics.documents },
        ...(found.outdated > 0 && { warning: outdatedWarning(found.outdated) }),
      }
    } finally {
      table.close()
    }
  },
})
