// Decides what a search asks for, before anything is looked for.
import { type Query, readQuery, type Scope } from '../../../query/index.ts'
import type { Facet, SearchRequest } from '../../../search/index.ts'
import type { UserPolicy } from '../../../user/index.ts'
import {
  type LiveIndex,
  librarySynonyms,
  type QueryVector,
  type Workspace,
} from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import type { SEARCH_FIELDS } from './fields.ts'
import { makeRequest, readScope } from './make-request.ts'
import type { Unverified } from './trusted-first.ts'

export type Input = InputOf<typeof SEARCH_FIELDS>

export interface SearchOptions {
  /** Embeds the question, instead of the model or provider that the user has set up. */
  readonly embed?: (index: LiveIndex) => Promise<QueryVector>
  /** Facets by which the answer is narrowed and counted. */
  readonly facets?: readonly Facet[]
  /** Whether an empty answer suggests what to ask, comparing every word of the index. Default: true. */
  readonly hints?: boolean
  /** If no item has all words, finds nothing instead of items with some of them. */
  readonly needsAllWords?: boolean
  /** Whether to wait for a slow catalogue. It is always waited for if nothing else is asked. */
  readonly isPatient?: boolean
  /** Called when hits of a catalogue may still come. Without it, that is a warning. */
  readonly onLate?: () => void
}

export interface Question {
  readonly query: Query
  readonly scope: Scope
  /** How the text was understood, if it has a syntax slip. */
  readonly warning: string | undefined
}

/** Who asks, for what, and where. */
export interface SearchCall {
  readonly context: ActionContext
  readonly input: Input
  readonly options: SearchOptions
  readonly question: Question
  readonly workspace: Workspace
  /** From the user's settings. */
  readonly settings: UserPolicy['search']
}

export interface SearchPlan extends SearchCall {
  /** What the index and a catalogue are asked. */
  readonly request: SearchRequest
  readonly source: NonNullable<Input['source']>
  readonly detail: 'brief' | 'full'
  readonly unverified: Unverified
  /** Synonyms of the library that are left out, and why. */
  readonly unusedSynonyms: readonly string[]
}

export function readQuestion(input: Input): Question {
  const scope = readScope(input)
  const { query, warning } = readQuery(input.query)
  return { query, scope, warning }
}

export async function planSearch(call: SearchCall): Promise<SearchPlan> {
  const { context, input, options, question, workspace, settings } = call
  const { synonyms, warnings: unusedSynonyms } = await librarySynonyms(workspace)
  const detail = input.why ? 'full' : detailFor(context, input)
  return {
    ...{ ...call, detail, unusedSynonyms },
    source: input.source ?? 'all',
    unverified: input.trusted ? 'hide' : settings.unverified,
    request: {
      ...makeRequest(workspace, input, question.query, question.scope),
      ...{ synonyms, isBrief: detail === 'brief' },
      ...(options.facets && { facets: options.facets }),
      ...(options.needsAllWords && { needsAllWords: true }),
    },
  }
}

/** Agents get brief answers by default, as their context is small. */
export function detailFor({ caller }: ActionContext, { detail }: Input): 'brief' | 'full' {
  return detail ?? (caller === 'agent' ? 'brief' : 'full')
}
