// Turns the input of a search into a request to the index.
import { AppError } from '../../../base/index.ts'
import { ITEM_TYPES, OWN_SPACES } from '../../../item/index.ts'
import {
  parseScope,
  type Query,
  readFields,
  readFilters,
  readFuzzy,
  readProximity,
  type Scope,
} from '../../../query/index.ts'
import { fieldWeights, type SearchRequest, TermSplitter } from '../../../search/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import type { SEARCH_FIELDS } from './fields.ts'

type Input = InputOf<typeof SEARCH_FIELDS>

/** Only this many characters are read as a question, for the names in it and for its meaning. */
const MAX_QUESTION = 4096

/** The type may be given in both fields, but must be the same in both. */
export function readScope(input: Pick<Input, 'item_type' | 'scope'>): Scope {
  const all: Scope = { type: input.item_type, namespace: '', self: true }
  if (input.scope === undefined) return all
  const scope = parseScope(input.scope)
  if (input.item_type === 'all' || scope.type === input.item_type) return scope
  if (scope.type === 'all') return { ...scope, type: input.item_type }
  throw new AppError(
    'INVALID_INPUT',
    `item_type \`${input.item_type}\` and scope \`${input.scope}\` contradict each other`,
  )
}

export function makeRequest(workspace: Workspace, input: Input, query: Query, scope: Scope): SearchRequest {
  const { category, tags, date_from, date_to, filters } = input
  return {
    query,
    terms: new TermSplitter(),
    text: input.query.slice(0, MAX_QUESTION),
    match: input.match,
    fuzzy: readFuzzy(input.fuzzy),
    proximity: readProximity(input.proximity),
    fields: readFields(input.fields),
    filters: readFilters({ filters, category, tags, date_from, date_to }),
    scope,
    spaces:
      input.source === undefined || input.source === 'all'
        ? workspace.spaces
        : workspace.spaces.filter(space =>
            input.source === 'local' ? OWN_SPACES.some(own => own === space) : space === input.source,
          ),
    sortBy: input.sort_by,
    offset: input.offset,
    limit: input.limit,
    weights: new Map(ITEM_TYPES.map(type => [type, fieldWeights(workspace.extractors.get(type))])),
  }
}
