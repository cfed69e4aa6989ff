// Searching: from the input to the answer. The index finds and ranks; this adds what only the library knows:
// verdicts, shadows, hints, and what was not searched.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { AppError, escapeHidden } from '../../../base/index.ts'
import type { RankedGuest } from '../../../catalogue/index.ts'
import { readQuery, type Scope } from '../../../query/index.ts'
import {
  type Facet,
  type SearchAnswer as IndexAnswer,
  isBusy,
  type SearchRequest,
} from '../../../search/index.ts'
import {
  type FoundSpaces,
  findSpaces,
  type LiveIndex,
  librarySynonyms,
  openLiveIndex,
  type QueryVector,
  questionEmbedder,
  requirePermission,
  type Workspace,
} from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import type { FullResult, SearchAnswer } from './answer.ts'
import { briefAnswer } from './brief-answer.ts'
import { explainHit } from './explain.ts'
import type { SEARCH_FIELDS } from './fields.ts'
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
import { makeRequest, readScope } from './make-request.ts'
import type { Asked, RegistryHits } from './registry-hits.ts'
import { type Page, readTrustedFirst } from './trusted-first.ts'

type Input = InputOf<typeof SEARCH_FIELDS>

/** How long an agent waits for the index before it is answered from what is indexed so far. */
const AGENT_BUDGET_MS = 1500

export interface SearchOptions {
  /** Gives the question its meaning, in place of what the user has set up. */
  readonly embed?: (index: LiveIndex) => Promise<QueryVector>
  /** By what the answer is narrowed, and counted. */
  readonly facets?: readonly Facet[]
  /** Whether an empty answer says what else might be asked: every word of the index is compared for it. Yes, unless told. */
  readonly hints?: boolean
  /** Nothing is found where no item has all words. */
  readonly needsAllWords?: boolean
  /** Whether a catalogue that is slow is waited for. It is, where nothing else is asked. */
  readonly isPatient?: boolean
  /** Called where hits of a catalogue may come yet, which is a warning otherwise. */
  readonly onLate?: () => void
}

export async function searchItems(
  context: ActionContext,
  input: Input,
  options: SearchOptions = {},
): Promise<SearchAnswer & Pick<IndexAnswer, 'facets'>> {
  requirePermission(context.library, 'search')
  if (input.source === 'registry') requirePermission(context.library, 'network')
  const scope = readScope(input)
  const { query, warning } = readQuery(input.query)
  if (input.source === 'registry') return searchOnlyRegistry(context, input, { query, scope, warning })
  const { library, caller } = context
  const looking =
    caller === 'person' && !library.watches ? findSpaces(library, input.project_path) : undefined
  const workspace = await library.open(input.project_path)
  const settings = (await library.policy()).search
  const source = input.source ?? 'all'
  const asksRegistry =
    settings.registry === 'ask' || (settings.registry === 'named' && input.source === 'all')
  const hits =
    source === 'all' && asksRegistry && !input.trusted
      ? startRegistry(context, input, { query, scope })
      : undefined
  const { detail: wanted = caller === 'agent' ? 'brief' : 'full' } = input
  const detail = input.why ? 'full' : wanted
  const { synonyms, warnings: unusedSynonyms } = await librarySynonyms(workspace)
  const request = {
    ...makeRequest(workspace, input, query, scope),
    ...{ synonyms, isBrief: detail === 'brief' },
    ...(options.facets && { facets: options.facets }),
    ...(options.needsAllWords && { needsAllWords: true }),
  }
  const asked = await startShared(workspace, request, {
    source,
    isPatient: source === 'shared' || options.isPatient === true,
  })
  const index = await openLiveIndex(workspace, { watch: library.watches || caller === 'agent' })
  const embed = options.embed ?? questionEmbedder(workspace, request)
  const unverified = input.trusted ? 'hide' : settings.unverified
  const find = async (shared?: RankedGuest): Promise<Found> => {
    const meaning = await embed(index)
    const whole = { ...request, ...(meaning.vector && { vector: meaning.vector }) }
    return { meaning, ...readTrustedFirst({ index, workspace, request: whole, unverified, shared }) }
  }
  // Usually nothing has changed. The search runs while that is being checked, and its answer counts if it is so.
  const early = looking && !(await isSettled(looking)) ? await find() : undefined
  const seen = await looking
  const stands = seen !== undefined && index.isUnchanged(workspace, seen)
  let pending = stands ? undefined : await bringUpToDate(context, workspace, index, seen)
  let found = stands && early ? early : await find()
  // The watch may have missed a write: through another name of the file, or before its event came.
  if (found.answer.reset.length > 0 || found.described.some(({ isOutdated }) => isOutdated)) {
    index.invalidate()
    pending = await bringUpToDate(context, workspace, index, undefined)
    found = await find()
  }
  const shared = await asked?.()
  if (shared?.guest) found = await find(shared.guest)
  if (shared?.isLate) options.onLate?.()
  const { answer } = found
  const coming = await hits
  const soon = await coming?.take()
  const described = found.described.map(({ result, tier }) =>
    input.why ? { ...result, why: explainHit(result, tier) } : result,
  )
  const own = shared?.guest ? await shared.confirm(described) : described
  const before = found.total - answer.weaker
  const answerWith = async (remote: RegistryHits | undefined) => {
    const results = [...own, ...pageOf(remote?.results ?? [], input, before)]
    const warnings = [
      ...[warning, pending, meaningWarning(answer, found.meaning, caller), cappedWarning(answer)],
      input.trusted ? undefined : hiddenWarning(found.hidden),
      remote?.warning,
      shared?.isLate && options.onLate ? undefined : shared?.warning,
      ...unusedSynonyms,
      ...workspace.memory.warnings,
      ...(await unusedWarnings(results, library)),
    ].filter(text => text !== undefined)
    const rest = {
      total: found.total + (remote?.results.length ?? 0),
      ...(answer.weaker > 0 && { weaker: answer.weaker }),
      query: escapeHidden(input.query),
      scope: input.scope ?? input.item_type,
      space: source,
      limit: input.limit,
      offset: input.offset,
      search_type: answer.byMeaning ? ('hybrid' as const) : ('keyword' as const),
      ...(warnings.length > 0 && { warning: escapeHidden(warnings.join('; '), { oneLine: true }) }),
      ...(found.total === 0 &&
        !remote?.results.length &&
        options.hints !== false && {
          hint: found.hidden > 0 ? unusableHint(found.hidden) : explainNothing(index, request, workspace),
        }),
      ...(isNearlyAllWeak(answer) && { hint: weakHint(caller) }),
      ...(answer.facets && { facets: answer.facets }),
    }
    return detail === 'brief' ? briefAnswer(rest, results) : { results, ...rest }
  }
  const isFirst = input.offset === 0 || input.offset + input.limit > before
  if (!coming || soon?.missing !== 'late' || !context.showFirst || !isFirst) return answerWith(soon)
  context.showFirst(await answerWith(undefined))
  // What is shown apart has pages of its own.
  const apart = { ...input, offset: Math.max(0, input.offset - before) }
  return registryAnswer(context, apart, await coming.wait())
}

/** Hits that come after `before` others: those of them that are on the page. */
function pageOf(
  hits: readonly FullResult[],
  { offset, limit }: Input,
  before: number,
): readonly FullResult[] {
  return hits.slice(Math.max(0, offset - before), Math.max(0, offset + limit - before))
}

/** Loaded for who has set up a catalogue. */
async function startShared(
  workspace: Workspace,
  request: SearchRequest,
  { source, isPatient }: { readonly source: NonNullable<Input['source']>; readonly isPatient: boolean },
) {
  if ((source !== 'all' && source !== 'shared') || !workspace.spaces.includes('shared')) return undefined
  if (source === 'all' && !workspace.shared) return undefined
  const { askShared } = await import('./shared-hits.ts')
  return askShared(workspace, request, { source, isPatient })
}

/** Loaded when it is needed: most searches ask no registry. */
async function startRegistry(context: ActionContext, input: Input, asked: Asked) {
  const { searchRegistryBeside } = await import('./registry-hits.ts')
  return searchRegistryBeside(context, input, asked)
}

async function searchOnlyRegistry(
  context: ActionContext,
  input: Input,
  { warning, ...asked }: Asked & { readonly warning: string | undefined },
): Promise<SearchAnswer> {
  if (input.trusted)
    throw new AppError('INVALID_INPUT', 'expected `source` other than `registry` with `trusted`', {
      hint: 'what is in a registry is checked when it is loaded: search it without `trusted`',
    })
  const { searchRegistry } = await import('./registry-hits.ts')
  const hits = await searchRegistry(context, input, asked)
  return registryAnswer(context, input, hits, warning)
}

function registryAnswer(
  context: ActionContext,
  input: Input,
  hits: RegistryHits,
  warning?: string,
): SearchAnswer {
  const warnings = [warning, hits.warning].filter(text => text !== undefined)
  const { item_type, limit, offset, detail = context.caller === 'agent' ? 'brief' : 'full' } = input
  const rest = {
    ...{ total: hits.results.length, query: escapeHidden(input.query), scope: input.scope ?? item_type },
    ...{ space: 'registry' as const, limit, offset },
    search_type: 'keyword' as const,
    ...(warnings.length > 0 && { warning: escapeHidden(warnings.join('; '), { oneLine: true }) }),
    ...(hits.results.length === 0 &&
      !hits.missing && { hint: 'no bundle of the registry lists such an item' }),
  }
  const results = pageOf(hits.results, input, 0)
  return detail === 'brief' ? briefAnswer(rest, results) : { results, ...rest }
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  await nextTurn()
  return settled
}

interface Found extends Page {
  readonly meaning: QueryVector
}

async function bringUpToDate(
  context: ActionContext,
  workspace: Workspace,
  index: LiveIndex,
  found: FoundSpaces | undefined,
): Promise<string | undefined> {
  if (await index.isFresh()) return undefined
  const onProgress = (done: number, total: number) => context.onProgress({ message: 'indexing', done, total })
  const isPerson = context.caller === 'person'
  const options = isPerson ? { signal: context.signal, onProgress, found } : { onProgress }
  const refreshing = index.refresh(workspace, options).then(
    () => undefined,
    thrown => {
      if (!(thrown instanceof AppError && isBusy(thrown.cause))) throw thrown
      return 'another process is writing the index: recent changes may be missing'
    },
  )
  if (isPerson) return refreshing
  // The rest is indexed while the agent reads, and its next search finds more, or reports a failure.
  refreshing.catch(() => {})
  const waiting = new AbortController()
  const unfinished = 'the index is still being built: some items may be missing'
  const budget = pause(AGENT_BUDGET_MS, unfinished, { signal: waiting.signal, ref: false }).catch(
    () => undefined,
  )
  return Promise.race([refreshing, budget]).finally(() => waiting.abort())
}

/** Words that are near, and how many items of other types, places and spaces the same words would find. */
function explainNothing(index: LiveIndex, request: SearchRequest, { spaces }: Workspace): string {
  const first = { ...request, offset: 0, limit: 1 }
  const { unknown } = index.search({ ...first, suggests: true })
  const isWhole =
    request.scope.type === 'all' && request.scope.namespace === '' && request.spaces.length === spaces.length
  const scope: Scope = { type: 'all', namespace: '', self: true }
  return emptyHint(unknown, isWhole ? 0 : index.search({ ...first, scope, spaces }).total)
}
