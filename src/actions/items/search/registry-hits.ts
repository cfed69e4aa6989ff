// Items in a registry that fit a search, for the end of its results. A registry is asked for words alone; what it lists is nobody's word but
// the publisher's, so no hit is more than untrusted before it is loaded.
import { AppError } from '../../../base/index.ts'
import { categoryOf, nameOf } from '../../../item/index.ts'
import type { Scope } from '../../../query/index.ts'
import { LateAnswers, within } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { callRegistry } from '../../registry/call-registry.ts'
import { findListedBundles, type ListedBundle } from '../../registry/listed-bundles.ts'
import type { FullResult } from './answer.ts'
import type { SEARCH_FIELDS } from './fields.ts'

type Input = InputOf<typeof SEARCH_FIELDS>

export interface RegistryHits {
  readonly results: readonly FullResult[]
  readonly warning?: string
}

/** Seconds. */
const BESIDE_LOCAL = 10
const ALONE = 15
/** How long the local answer, once it is there, waits for one of the registry that is about to arrive. */
const GRACE_MS = 30
const KEPT_MS = 5 * 60_000
/** What nothing but the index can tell. */
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

/** Throws what went wrong. */
export async function searchRegistry(
  context: ActionContext,
  input: Input,
  scope: Scope,
): Promise<RegistryHits> {
  return search(context, input, { scope, seconds: ALONE })
}

/** Begins to ask beside a local search, which waits for nobody; to be taken once that is done. What comes later is there the next time. */
export async function searchRegistryBeside(
  context: ActionContext,
  input: Input,
  scope: Scope,
): Promise<{ take(): Promise<RegistryHits> }> {
  const kept = await context.library.keep('hits of registries', () => new LateAnswers<RegistryHits>(KEPT_MS))
  const key = JSON.stringify([input.project_path, input.query, scope, input.match])
  const asked = kept.ask(key, signal =>
    search({ ...context, signal }, input, { scope, seconds: BESIDE_LOCAL }),
  )
  asked.catch(() => {})
  return { take: () => takeInTime(asked) }
}

/** What went wrong is a warning, and is asked again the next time. */
async function takeInTime(asked: Promise<RegistryHits>): Promise<RegistryHits> {
  const late = new AppError(
    'REMOTE_FAILED',
    'the registry has not answered yet: `source` `registry` waits for it',
  )
  try {
    return await within(asked, GRACE_MS, late)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const warning = thrown === late ? late.message : `the registry was left out: ${thrown.message}`
    return { results: [], warning }
  }
}

async function search(
  context: ActionContext,
  input: Input,
  { scope, seconds }: { readonly scope: Scope; readonly seconds: number },
): Promise<RegistryHits> {
  const unheard = LOCAL_FIELDS.filter(name => input[name] !== undefined)
  const warning =
    unheard.length > 0 &&
    `a registry knows words, type and scope, not ${unheard.map(name => `\`${name}\``).join(', ')}`
  const words = wordsOf(input.query)
  const { bundles } = await callRegistry(
    context,
    { project_path: input.project_path, timeout: seconds },
    async ({ registry }) => ({ bundles: await findListedBundles(registry, words) }),
  )
  const results = bundles.flatMap(bundle => hitsIn(bundle, { words, scope, match: input.match }))
  results.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return { results, ...(warning && { warning }) }
}

/** Plain words of a query: what is exact about it, a registry cannot tell. */
function wordsOf(query: string): string[] {
  const found = query.match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
  return [...new Set(found.filter(word => !/^(?:AND|OR|NOT)$/.test(word)).map(word => word.toLowerCase()))]
}

interface Wanted {
  readonly words: readonly string[]
  readonly scope: Scope
  readonly match: Input['match']
}

function hitsIn(bundle: ListedBundle, { words, scope, match }: Wanted): FullResult[] {
  return bundle.items.flatMap((item): FullResult[] => {
    if (scope.type !== 'all' && scope.type !== item.type) return []
    if (!isInScope(item.id, scope)) return []
    const text = `${item.type} ${item.id} ${item.description} ${bundle.package}`.toLowerCase()
    const share = words.length === 0 ? 1 : words.filter(word => text.includes(word)).length / words.length
    if (share === 0 || (match === 'all' && share < 1)) return []
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
        package: `${bundle.package}@${bundle.version}`,
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
