// Finds bundles in a registry. Many registries support neither `keywords:` nor case-insensitive search, so
// they are asked in simpler and simpler ways, and in the end the results are filtered here.
import { type BundleSummary, KEYWORD, type OpenedRegistry } from '../../registry/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { callRegistry } from './call-registry.ts'
import { otherRegistry, seconds } from './fields.ts'

const SEARCH_FIELDS = {
  query: {
    type: 'string',
    about: 'words; every bundle without',
    default: '',
    flag: { position: 'rest', value: 'WORDS' },
  },
  limit: {
    type: 'integer',
    about: 'most results',
    minimum: 1,
    maximum: 100,
    default: 20,
    flag: { value: 'N' },
  },
  registry: otherRegistry,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type RegistrySearchInput = CallInput<typeof SEARCH_FIELDS>

export interface RegistrySearchAnswer {
  readonly registry: string
  readonly bundles: readonly BundleSummary[]
  readonly count: number
}

export const registrySearch = defineAction({
  name: 'registry search',
  description: 'Find bundles of items in an npm registry.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  fields: SEARCH_FIELDS,
  run: (context, input): Promise<RegistrySearchAnswer> =>
    callRegistry(context, input, async ({ registry }) => {
      const bundles = await findBundles(registry, input.query, input.limit)
      return { bundles, count: bundles.length }
    }),
})

const MOST_ASKED = 250

export async function findBundles(
  registry: OpenedRegistry,
  query: string,
  limit: number,
): Promise<BundleSummary[]> {
  const words = query.split(/\s+/).filter(word => word !== '')
  const marked = await registry.search([`keywords:${KEYWORD}`, ...words].join(' '), limit)
  if (marked.length > 0) return marked.slice(0, limit)
  const plain = await registry.search(words.join(' '), MOST_ASKED)
  if (plain.length > 0 || words.length === 0) return plain.slice(0, limit)
  const all = await registry.search('', MOST_ASKED)
  return all.filter(bundle => hasAll(bundle, words)).slice(0, limit)
}

function hasAll(bundle: BundleSummary, words: readonly string[]): boolean {
  const text = [bundle.package, bundle.description, ...bundle.keywords].join(' ').toLowerCase()
  return words.every(word => text.includes(word.toLowerCase()))
}
