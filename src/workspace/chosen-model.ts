// The embedder that the user's settings name: a provider, or a model in a folder. Most users have none, and
// then nothing of this is loaded.
import { join } from 'node:path'
import { lazy } from '../base/index.ts'
import {
  type BuiltInModel,
  createEmbedder,
  type Embedder,
  loadModelFolder,
  REQUEST_MS,
} from '../search/index.ts'
import { homeOf } from './places.ts'
import type { Library } from './types.ts'

/** The model is read once per folder. */
export async function modelOfFolder(library: Library, path: string): Promise<() => BuiltInModel> {
  const whole = path.startsWith('~/') ? join(homeOf(library.environment), path.slice(2)) : path
  const model = await library.keep(`model ${whole}`, () => ({
    load: lazy(() => loadModelFolder(whole)),
    close() {},
  }))
  return model.load
}

export interface EmbedderLimits {
  /** Time limit of one request. */
  readonly timeoutMs?: number
}

/** The provider that the user has set up, if any. */
export async function userEmbedder(
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
