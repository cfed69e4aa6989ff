// Finds items in a registry that fit a search; they come last in its results. A registry is only asked for
// words. What it lists is only the publisher's claim, so no hit is more than untrusted before it is loaded.
import { AppError } from '../../../base/index.ts'
import { categoryOf, nameOf } from '../../../item/index.ts'
import type { Query, Scope } from '../../../query/index.ts'
import { LateAnswers, within } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { callRegistry } from '../../registry/call-registry.ts'
import { findListedBundles, type ListedBundle } from '../../registry/listed-bundles.ts'
import type { FullResult } from './answer.ts'
import type { SEARCH_FIELDS } from './fields.ts'
import { matchListed, wantedWords } from './match-listed.ts'

type Input = InputOf<typeof SEARCH_FIELDS>

export interface RegistryHits {
  readonly results: readonly FullResult[]
  readonly warning?: string
  /** Why there are none: they may still come, or the registry failed. */
  readonly missing?: 'late' | 'failed'
}

/** Hits that are on their way. */
export interface ComingHits {
  /** The hits that have arrived, or are about to. */
  take(): Promise<RegistryHits>
  /** All hits, unless the registry's time runs out or the call is cancelled. */
  wait(): Promise<RegistryHits>
}

/** Seconds that a registry gets beside a local search, and alone. */
const BESIDE_LOCAL = 10
const ALONE = 15
/** How long a finished local answer waits for that of the registry. */
const GRACE_MS = 30
const KEPT_MS = 5 * 60_000
const LATE = new AppError(
  'REMOTE_FAILED',
  'the registry has not answered yet: `source` `registry` waits for it',
)
/** Fields that only the local index can answer. */
const LOCAL_FIELDS = [
  'category',
  'tags',
  'date_from',
  'date_to',
  'fields',
  'filters',
  'fuzzy',
  'proximity',
] as const

export interface Asked {
  readonly query: Query
  readonly scope: Scope
}

/** Throws if the registry fails. */
export async function searchRegistry(
  context: ActionContext,
  input: Input,
  asked: Asked,
): Promise<RegistryHits> {
  const results = await search(context, input, { ...asked, seconds: ALONE })
  return { results, ...unheardIn(input) }
}

/**
 * Starts to ask while a local search runs, which waits for nobody; take the hits when it is done. Hits that
 * come later are kept for the next search.
 */
export async function searchRegistryBeside(
  context: ActionContext,
  input: Input,
  asked: Asked,
): Promise<ComingHits> {
  const kept = await context.library.keep('hits of registries', () => new LateAnswers<FullResult[]>(KEPT_MS))
  const key = JSON.stringify([context.caller, input.project_path, input.query, asked.scope, input.match])
  const answer = kept.ask(key, signal =>
    search({ ...context, signal }, input, { ...asked, seconds: BESIDE_LOCAL }),
  )
  answer.catch(() => {})
  return {
    take: () => takeInTime(within(answer, GRACE_MS, LATE), input),
    wait: () => takeInTime(unlessStopped(answer, context.signal), input),
  }
}

/** Rejects as soon as the caller cancels. */
function unlessStopped<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AppError('EXECUTION_CANCELLED', 'the call was cancelled'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A failure becomes a warning; the registry is asked again the next time. */
async function takeInTime(answer: Promise<FullResult[]>, input: Input): Promise<RegistryHits> {
  try {
    return { results: await answer, ...unheardIn(input) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    if (thrown === LATE) return { results: [], warning: thrown.message, missing: 'late' }
    return { results: [], warning: `the registry was left out: ${thrown.message}`, missing: 'failed' }
  }
}

function unheardIn(input: Input): { warning?: string } {
  const unheard = LOCAL_FIELDS.filter(name => input[name] !== undefined).map(name => `\`${name}\``)
  if (unheard.length === 0) return {}
  return {
    warning: `a registry is searched by words, type and scope only; ignored there: ${unheard.join(', ')}`,
  }
}

async function search(
  context: ActionContext,
  input: Input,
  { query, scope, seconds }: Asked & { readonly seconds: number },
): Promise<FullResult[]> {
  const words = wantedWords(query)
  const { results } = await callRegistry(
    context,
    { project_path: input.project_path, timeout: seconds },
    async ({ registry }) => {
      const bundles = await findListedBundles(registry, words)
      const wanted = { query, scope, match: input.match }
      return { results: bundles.flatMap(bundle => hitsIn(bundle, wanted)) }
    },
  )
  return results.sort((a, b) => b.score - a.score || compare(a.id, b.id) || compare(a.package, b.package))
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b)
}

interface Wanted extends Asked {
  readonly match: Input['match']
}

function hitsIn(bundle: ListedBundle, { query, scope, match }: Wanted): FullResult[] {
  return bundle.items.flatMap((item): FullResult[] => {
    if (scope.type !== 'all' && scope.type !== item.type) return []
    if (!isInScope(item.id, scope)) return []
    const text = `${item.type} ${item.id} ${item.description} ${bundle.package}`
    const share = matchListed(query, text, match)
    if (share === undefined) return []
    return [
      {
        id: item.id,
        name: nameOf(item.id),
        title: nameOf(item.id),
        description: item.description,
        category: categoryOf(item.id),
        score: Math.round(share * 5000) / 10_000,
        type: item.type,
        source: 'registry',
        package: bundle.version === '' ? bundle.package : `${bundle.package}@${bundle.version}`,
        preview: '',
        signed: item.signer !== undefined,
        trust: {
          ...{ status: 'untrusted', format: null, coverage: null, hash: null, signer: item.signer ?? null },
          timestamp: null,
          reason: 'in a registry: not checked before it is loaded',
        },
        ...(share < 1 && { partial: true }),
      },
    ]
  })
}

function isInScope(id: string, { namespace, self }: Scope): boolean {
  return namespace === '' || id.startsWith(`${namespace}/`) || (self && id === namespace)
}
