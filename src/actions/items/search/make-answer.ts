// Makes the answer from what was found: a page of results, how many there are in all, and warnings about what
// may be missing.
import { escapeHidden } from '../../../base/index.ts'
import type { SearchAnswer as IndexAnswer, SearchRequest } from '../../../search/index.ts'
import type { LiveIndex } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { FullResult, SearchAnswer } from './answer.ts'
import { briefAnswer } from './brief-answer.ts'
import {
  cappedWarning,
  emptyHint,
  hiddenWarning,
  isNearlyAllWeak,
  meaningWarning,
  unusableHint,
  unusedWarnings,
  weakHint,
} from './hints.ts'
import type { CurrentHits } from './local-hits.ts'
import { detailFor, type Input, type SearchPlan } from './plan-search.ts'
import type { RegistryHits } from './registry-hits.ts'

/** What the local index and a catalogue found. */
export interface Found extends CurrentHits {
  readonly index: LiveIndex
  /** The results of the page, as they are shown. */
  readonly results: readonly FullResult[]
  /** Why hits of a catalogue are missing. */
  readonly sharedWarning: string | undefined
}

/** Hits that a registry has found by now come after all others. */
export async function makeAnswer(
  plan: SearchPlan,
  found: Found,
  remote: RegistryHits | undefined,
): Promise<SearchAnswer & Pick<IndexAnswer, 'facets'>> {
  const { input, source, detail } = plan
  const { total, answer } = found.hits
  const results = [...found.results, ...pageOf(remote?.results ?? [], input, countListed(found))]
  const rest = {
    total: total + (remote?.results.length ?? 0),
    ...(answer.weaker > 0 && { weaker: answer.weaker }),
    query: escapeHidden(input.query),
    scope: input.scope ?? input.item_type,
    space: source,
    limit: input.limit,
    offset: input.offset,
    search_type: answer.byMeaning ? ('hybrid' as const) : ('keyword' as const),
    ...joinWarnings([
      ...foundWarnings(plan, found, remote),
      ...plan.unusedSynonyms,
      ...plan.workspace.memory.warnings,
      ...(await unusedWarnings(results, plan.workspace.policy)),
    ]),
    ...hintAbout(plan, found, remote),
    ...(answer.facets && { facets: answer.facets }),
  }
  return detail === 'brief' ? briefAnswer(rest, results) : { results, ...rest }
}

/** For a search that asked only a registry, or whose other results are shown already. */
export function makeRegistryAnswer(
  context: ActionContext,
  input: Input,
  hits: RegistryHits,
  warning?: string,
): SearchAnswer {
  const { item_type, limit, offset } = input
  const rest = {
    ...{ total: hits.results.length, query: escapeHidden(input.query), scope: input.scope ?? item_type },
    ...{ space: 'registry' as const, limit, offset },
    search_type: 'keyword' as const,
    ...joinWarnings([warning, hits.warning]),
    ...(hits.results.length === 0 &&
      !hits.missing && { hint: 'none of the bundles that the registry returned lists such an item' }),
  }
  const results = pageOf(hits.results, input, 0)
  return detailFor(context, input) === 'brief' ? briefAnswer(rest, results) : { results, ...rest }
}

/** How many hits come before those of a registry, on all pages. */
export function countListed({ hits }: Pick<Found, 'hits'>): number {
  return hits.total - hits.answer.weaker
}

/** The hits that are on the page, if `before` others come first. */
function pageOf(
  hits: readonly FullResult[],
  { offset, limit }: Input,
  before: number,
): readonly FullResult[] {
  return hits.slice(Math.max(0, offset - before), Math.max(0, offset + limit - before))
}

function joinWarnings(warnings: readonly (string | undefined)[]): { warning?: string } {
  const said = warnings.filter(text => text !== undefined)
  return said.length > 0 ? { warning: escapeHidden(said.join('; '), { oneLine: true }) } : {}
}

/** Warnings about what was not understood, not searched, or left out. */
function foundWarnings(
  { context, input, question }: SearchPlan,
  { hits, pending, sharedWarning }: Found,
  remote: RegistryHits | undefined,
): (string | undefined)[] {
  return [
    question.warning,
    pending,
    meaningWarning(hits.answer, hits.meaning, context.caller),
    cappedWarning(hits.answer),
    input.trusted ? undefined : hiddenWarning(hits.hidden),
    remote?.warning,
    sharedWarning,
  ]
}

function hintAbout(
  plan: SearchPlan,
  { hits, index, pending }: Found,
  remote: RegistryHits | undefined,
): { hint?: string } {
  if (isNearlyAllWeak(hits.answer)) return { hint: weakHint(plan.context.caller) }
  if (hits.total > 0 || remote?.results.length || plan.options.hints === false) return {}
  // What is not found may just not be indexed yet.
  if (pending !== undefined) return { hint: 'search again in a moment' }
  return {
    hint:
      hits.hidden > 0 ? unusableHint(hits.hidden, plan.input.trusted === true) : explainNothing(index, plan),
  }
}

/** Similar words, and how many items the same words would find without the other conditions. */
function explainNothing(index: LiveIndex, { input, request, workspace: { spaces } }: SearchPlan): string {
  const first = { ...request, offset: 0, limit: 1 }
  const { unknown } = index.search({ ...first, suggests: true })
  const { scope, filters } = request
  const isPlaced = scope.type !== 'all' || scope.namespace !== '' || request.spaces.length < spaces.length
  const isFiltered =
    filters.filters.length > 0 || filters.dateFrom !== undefined || filters.dateTo !== undefined
  const conditions = [
    ...(isPlaced ? ['type, scope and source'] : []),
    ...(isFiltered ? ['filters'] : []),
    ...(request.fields.size > 0 ? ['fields'] : []),
    ...(request.proximity !== undefined ? ['proximity'] : []),
  ]
  if (conditions.length === 0) return emptyHint(unknown)
  if (input.trusted) conditions.push('trusted')
  const { total } = index.search({ ...first, ...UNCONDITIONAL, spaces })
  return emptyHint(unknown, { total, without: conditions.join(', ') })
}

const UNCONDITIONAL = {
  scope: { type: 'all', namespace: '', self: true },
  filters: { filters: [], dateFrom: undefined, dateTo: undefined },
  fields: new Map(),
  proximity: undefined,
} as const satisfies Partial<SearchRequest>
