// Runs one search. The index finds and ranks, while a catalogue and a registry are asked. The answer adds
// what only the library knows: verdicts, shadows, hints, and what was not searched.
import { AppError } from '../../../base/index.ts'
import type { SearchAnswer as IndexAnswer } from '../../../search/index.ts'
import { type FoundSpaces, findSpaces, requirePermission } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { FullResult, SearchAnswer } from './answer.ts'
import { explainHit } from './explain.ts'
import { findCurrent, type LocalHits, openLocalSearch } from './local-hits.ts'
import { countListed, type Found, makeAnswer, makeRegistryAnswer } from './make-answer.ts'
import {
  type Input,
  planSearch,
  readQuestion,
  type SearchCall,
  type SearchOptions,
  type SearchPlan,
} from './plan-search.ts'
import type { ComingHits } from './registry-hits.ts'
import type { SharedHits } from './shared-hits.ts'

export async function searchItems(
  context: ActionContext,
  input: Input,
  options: SearchOptions = {},
): Promise<SearchAnswer & Pick<IndexAnswer, 'facets'>> {
  requirePermission(context.library, 'search')
  if (input.source === 'registry') return searchOnlyRegistry(context, input)
  const question = readQuestion(input)
  // Slow parts start as early as possible and run in parallel.
  const changes = lookForChanges(context, input)
  const workspace = await context.library.open(input.project_path)
  const { search: settings } = workspace.policy
  const call = { context, input, options, question, workspace, settings }
  const asking = askRegistry(call)
  const plan = await planSearch(call)
  const takeShared = await askCatalogue(plan)

  const local = await openLocalSearch(plan)
  const current = await findCurrent(plan, local, changes)
  const shared = await takeShared?.()
  const hits = shared?.guest ? await local.find(shared.guest) : current.hits
  const sharedWarning = tellOfMissing(shared, options)
  const registry = await asking
  const remote = await registry?.take()

  const results = await describeHits(plan, hits, shared)
  const found = { hits, pending: current.pending, index: local.index, results, sharedWarning }
  if (registry && remote?.missing === 'late' && context.showFirst && endsOnPage(found, input)) {
    context.showFirst(await makeAnswer(plan, found, undefined))
    return makeRegistryAnswer(context, pageAfter(found, input), await registry.wait())
  }
  return makeAnswer(plan, found, remote)
}

/**
 * Whether files have changed since they were indexed. A process that keeps running is told, and does not ask.
 */
function lookForChanges({ library, caller }: ActionContext, input: Input): Promise<FoundSpaces> | undefined {
  if (caller !== 'person' || library.watches) return undefined
  const changes = findSpaces(library, input.project_path)
  return changes && begun(changes)
}

/** Undefined unless the user's settings and the call both want it. */
function askRegistry({ context, input, question, settings }: SearchCall): Promise<ComingHits> | undefined {
  const { source = 'all', trusted } = input
  const isWanted = settings.registry === 'ask' || (settings.registry === 'named' && input.source === 'all')
  if (source !== 'all' || trusted || !isWanted) return undefined
  // Imported when needed: most searches ask no registry.
  const loading = import('./registry-hits.ts')
  return begun(loading.then(({ searchRegistryBeside }) => searchRegistryBeside(context, input, question)))
}

/** Avoids an unhandled rejection when the search itself fails before it takes the result. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/** Starts to ask, if there is a catalogue. The returned function waits for the answer. */
async function askCatalogue({ workspace, request, source, options }: SearchPlan) {
  if ((source !== 'all' && source !== 'shared') || !workspace.spaces.includes('shared')) return undefined
  if (source === 'all' && !workspace.shared) return undefined
  // Imported only for users who have set up a catalogue.
  const { askShared } = await import('./shared-hits.ts')
  return askShared(workspace, request, {
    source,
    isPatient: source === 'shared' || options.isPatient === true,
  })
}

/** Late hits are a warning, unless the caller gave `onLate`. */
function tellOfMissing(shared: SharedHits | undefined, { onLate }: SearchOptions): string | undefined {
  if (!shared?.isLate || !onLate) return shared?.warning
  onLate()
  return undefined
}

async function describeHits(
  { input }: SearchPlan,
  { described }: LocalHits,
  shared: SharedHits | undefined,
): Promise<readonly FullResult[]> {
  const results = described.map(({ result, tier }) =>
    input.why ? { ...result, why: explainHit(result, tier) } : result,
  )
  return shared?.guest ? shared.confirm(results) : results
}

/** Whether hits of a registry, which come after all others, could be on the page. */
function endsOnPage(found: Found, { offset, limit }: Input): boolean {
  return offset === 0 || offset + limit > countListed(found)
}

/** Registry hits that are shown separately have pages of their own. */
function pageAfter(found: Found, input: Input): Input {
  return { ...input, offset: Math.max(0, input.offset - countListed(found)) }
}

async function searchOnlyRegistry(context: ActionContext, input: Input): Promise<SearchAnswer> {
  requirePermission(context.library, 'network')
  const { warning, ...question } = readQuestion(input)
  if (input.trusted)
    throw new AppError('INVALID_INPUT', 'expected `source` other than `registry` with `trusted`', {
      hint: 'what is in a registry is checked when it is loaded: search it without `trusted`',
    })
  const { searchRegistry } = await import('./registry-hits.ts')
  return makeRegistryAnswer(context, input, await searchRegistry(context, input, question), warning)
}
