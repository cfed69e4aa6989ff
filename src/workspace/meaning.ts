// Which embedder gives search its meaning, by the user's settings: a provider, a model in a folder, the
// built-in one, or none.
import { join } from 'node:path'
import { type BuiltInModel, type Embedder, loadBuiltIn } from '../search/index.ts'
import type { UserPolicy } from '../user/index.ts'
import type { EmbedderLimits } from './chosen-model.ts'
import type { Library } from './types.ts'

/** How long a search waits for a provider, for all its requests together. */
export const SEARCH_MS = 3000

/** At most one field is set. */
export interface Meaning {
  readonly provider?: Embedder | undefined
  /** A model on this machine, built in or from a folder. Read when first asked for. */
  readonly builtIn?: () => BuiltInModel
}

export interface MeaningOptions extends EmbedderLimits {
  /** By default it is read again. */
  readonly policy?: UserPolicy
}

export async function readMeaning(library: Library, options: MeaningOptions = {}): Promise<Meaning> {
  const { embeddings, search } = options.policy ?? (await library.policy())
  if (search.meaning === 'off') return {}
  if (!embeddings) return { builtIn: await builtInModel(library) }
  const { modelOfFolder, userEmbedder } = await import('./chosen-model.ts')
  if ('path' in embeddings) return { builtIn: await modelOfFolder(library, embeddings.path) }
  return { provider: await userEmbedder(library, options) }
}

/** All embedders that could be chosen, whatever the user's choice. */
export async function knownMeanings(library: Library): Promise<KnownMeanings> {
  const { embeddings } = await library.policy()
  const { modelOfFolder, userEmbedder } = await import('./chosen-model.ts')
  const folder =
    embeddings && 'path' in embeddings ? await modelOfFolder(library, embeddings.path) : undefined
  return { provider: await userEmbedder(library), folder, builtIn: await builtInModel(library) }
}

export interface KnownMeanings extends Required<Meaning> {
  readonly folder: (() => BuiltInModel) | undefined
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
