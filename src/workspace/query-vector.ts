// The meaning of a question as a vector, when the user has set up embeddings. A provider that is dead or slow costs a
// moment and a warning, never the answer.
import { AppError } from '../base/index.ts'
import { createEmbedder, type Embedder } from '../store/index.ts'
import type { LiveIndex } from './live-index.ts'
import type { Library, Workspace } from './types.ts'

/** How long one request to the provider may take while somebody waits for a search. */
const REQUEST_MS = 3000
/** How long a search spends on items that have no vector yet; the rest comes with the next searches. */
const CATCH_UP_MS = 1000

export interface QueryVector {
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  readonly warning?: string
}

/** The provider that the user has set up, if any. */
export async function userEmbedder(
  library: Library,
  { timeoutMs = REQUEST_MS }: { readonly timeoutMs?: number } = {},
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

export async function embedQuestion(
  workspace: Workspace,
  index: LiveIndex,
  text: string,
): Promise<QueryVector> {
  const embedder = text.trim() === '' ? undefined : await userEmbedder(workspace.library)
  if (!embedder) return {}
  try {
    const [values] = await embedder.embed([text])
    await index.embed(embedder, performance.now() + CATCH_UP_MS)
    return values ? { vector: { model: embedder.model, values } } : {}
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { warning: `answered by words alone: ${thrown.message}` }
  }
}
