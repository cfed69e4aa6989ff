// Which embedder gives search its meaning, by the user's settings: a provider, a model in a folder, the one that is built in, or none.
import { join } from 'node:path'
import { lazy } from '../base/index.ts'
import {
  type BuiltInModel,
  createEmbedder,
  type Embedder,
  loadBuiltIn,
  loadModelFolder,
  REQUEST_MS,
} from '../search/index.ts'
import { homeOf } from './places.ts'
import type { Library } from './types.ts'

/** How long a search waits for a provider, for all requests together. */
export const SEARCH_MS = 3000

/** At most one of them. */
export interface Meaning {
  readonly provider?: Embedder | undefined
  /** A model on this machine, built in or of a folder; read when it is first asked for. */
  readonly builtIn?: () => BuiltInModel
}

export async function readMeaning(library: Library, options: EmbedderLimits = {}): Promise<Meaning> {
  const { embeddings, search } = await library.policy()
  if (search.meaning === 'off') return {}
  if (embeddings && 'path' in embeddings) return { builtIn: await modelOfFolder(library, embeddings.path) }
  if (embeddings) return { provider: await userEmbedder(library, options) }
  return { builtIn: await builtInModel(library) }
}

/** Everything that could be chosen, whatever the user has chosen. */
export async function knownMeanings(library: Library): Promise<KnownMeanings> {
  const { embeddings } = await library.policy()
  const folder =
    embeddings && 'path' in embeddings ? await modelOfFolder(library, embeddings.path) : undefined
  return { provider: await userEmbedder(library), folder, builtIn: await builtInModel(library) }
}

export interface KnownMeanings extends Required<Meaning> {
  readonly folder: (() => BuiltInModel) | undefined
}

/** Read once for each folder that the settings name. */
async function modelOfFolder(library: Library, path: string): Promise<() => BuiltInModel> {
  const whole = path.startsWith('~/') ? join(homeOf(library.environment), path.slice(2)) : path
  const model = await library.keep(`model ${whole}`, () => ({
    load: lazy(() => loadModelFolder(whole)),
    close() {},
  }))
  return model.load
}

async function builtInModel(library: Library): Promise<() => BuiltInModel> {
  const path = join(library.systemRoot, '..', 'model', 'model.bin')
  const model = await library.keep('built-in model', () => {
    let loaded: BuiltInModel | undefined
    const load = () => {
      loaded ??= loadBuiltIn(path)
      return loaded
    }
    return { load, close: () => loaded?.close?.() }
  })
  return model.load
}

interface EmbedderLimits {
  /** What one request may take. */
  readonly timeoutMs?: number
}

/** The provider that the user has set up, if any. */
async function userEmbedder(
  library: Library,
  { timeoutMs = REQUEST_MS }: EmbedderLimits = {},
): Promise<Embedder | undefined> {
  const { embeddings } = await library.policy()
  if (!embeddings || 'path' in embeddings) return undefined
  const key = embeddings.key_env === undefined ? undefined : library.environment[embeddings.key_env]
  return createEmbedder({
    url: embeddings.url,
    model: embeddings.model,
    timeoutMs,
    fetch: globalThis.fetch,
    ...(key !== undefined && { key }),
  })
}
