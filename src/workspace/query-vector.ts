// The meaning of a question as a vector: of the built-in model, or of a provider that the user has set up. A provider that fails or is slow costs a few seconds
// and a warning, never the answer.
import { AppError } from '../base/index.ts'
import {
  type BuiltInModel,
  type Embedder,
  isBusy,
  isOutOfSpace,
  isQuestion,
  type SearchRequest,
} from '../search/index.ts'
import type { LiveIndex } from './live-index.ts'
import { readMeaning, SEARCH_MS } from './meaning.ts'
import type { Workspace } from './types.ts'

/** How long new requests for items without a vector are started; the next searches embed the rest. */
const CATCH_UP_MS = 1000

export interface QueryVector {
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  /** A provider gave it, so that items may be without one for a while. */
  readonly isProvided?: true
  /** Why there is no vector of the question, or none of some items. */
  readonly problem?: string
}

export function questionEmbedder(
  { library }: Workspace,
  request: SearchRequest,
): (index: LiveIndex) => Promise<QueryVector> {
  const asking = providerAsker(request)
  return async index => {
    const { builtIn, provider } = await readMeaning(library)
    if (!isQuestion(request.query, request)) return {}
    if (provider) return asking(index, provider)
    return builtIn ? tryAsking(async () => embedAtOnce(index, builtIn(), request.text)) : {}
  }
}

function embedAtOnce(index: LiveIndex, { embedder, problem }: BuiltInModel, text: string): QueryVector {
  if (!embedder) return { problem }
  index.complete(embedder)
  const values = embedder.embedQuestion(text)
  return values ? { vector: { model: embedder.model, values } } : {}
}

/**
 * Asks a provider for one search, which may read the index several times: once for the question, each time for what the index
 * lacks, and never for longer than a search may take.
 */
function providerAsker(
  request: SearchRequest,
): (index: LiveIndex, embedder: Embedder) => Promise<QueryVector> {
  let leftMs = SEARCH_MS
  let asked: Promise<QueryVector> | undefined
  return async (index, embedder) => {
    const start = performance.now()
    const deadline = start + leftMs
    try {
      asked ??= tryAsking(async () => {
        const [values] = await embedder.embed([request.text], deadline)
        return values ? { vector: { model: embedder.model, values }, isProvided: true } : {}
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
