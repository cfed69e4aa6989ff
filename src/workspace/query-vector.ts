// The meaning of a question as a vector, if the user has set up embeddings. A provider that fails or is slow costs a few seconds
// and a warning, never the answer.
import { AppError } from '../base/index.ts'
import {
  createEmbedder,
  type Embedder,
  isBusy,
  isOutOfSpace,
  isQuestion,
  type SearchRequest,
} from '../search/index.ts'
import type { LiveIndex } from './live-index.ts'
import type { Library, Workspace } from './types.ts'

/** How long a search waits for the provider, for all requests together. */
const SEARCH_MS = 3000
/** How long new requests for items without a vector are started; the next searches embed the rest. */
const CATCH_UP_MS = 1000

export interface QueryVector {
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  /** Why there is no vector of the question, or none of some items. */
  readonly problem?: string
}

/** The provider that the user has set up, if any. */
export async function userEmbedder(
  library: Library,
  { timeoutMs = SEARCH_MS }: { readonly timeoutMs?: number } = {},
): Promise<Embedder | undefined> {
  const { embeddings } = await library.policy()
  if (!embeddings) return undefined
  const key = embeddings.key_env === undefined ? undefined : library.environment[embeddings.key_env]
  return createEmbedder({
    url: embeddings.url,
    model: embeddings.model,
    timeoutMs,
    fetch: globalThis.fetch,
    ...(key !== undefined && { key }),
  })
}

/**
 * Asks the provider for one search, which may read the index several times: once for the question, each time for what the index
 * lacks, and never for longer than a search may take.
 */
export function questionEmbedder(
  { library }: Workspace,
  request: SearchRequest,
): (index: LiveIndex) => Promise<QueryVector> {
  let leftMs = SEARCH_MS
  let asked: Promise<QueryVector> | undefined
  return async index => {
    const embedder = await userEmbedder(library)
    if (!embedder || !isQuestion(request.query, request)) return {}
    const start = performance.now()
    const deadline = start + leftMs
    try {
      asked ??= tryAsking(async () => {
        const [values] = await embedder.embed([request.text], deadline)
        return values ? { vector: { model: embedder.model, values } } : {}
      })
      const question = await asked
      if (!question.vector) return question
      const dimensions = question.vector.values.length
      const lastStart = Math.min(deadline, performance.now() + CATCH_UP_MS)
      const others = await tryAsking(async () => {
        await index.embed(embedder, { dimensions, lastStart, deadline })
        return {}
      })
      return { ...question, ...others }
    } finally {
      leftMs -= performance.now() - start
    }
  }
}

async function tryAsking(ask: () => Promise<QueryVector>): Promise<QueryVector> {
  try {
    return await ask()
  } catch (thrown) {
    if (thrown instanceof AppError) return { problem: thrown.message }
    if (isBusy(thrown) || isOutOfSpace(thrown)) return { problem: 'the index cannot be written at present' }
    throw thrown
  }
}
