// The vector of a question, from the built-in model or from a provider that the user has set up. A provider
// that fails or is slow costs a few seconds and a warning, never the answer.
import { type BuiltInModel, type Embedder, isQuestion, type SearchRequest } from '../search/index.ts'
import { BackgroundEmbedding, describeProblem } from './embed-library.ts'
import type { LiveIndex } from './live-index.ts'
import { readMeaning, SEARCH_MS } from './meaning.ts'
import type { Workspace } from './types.ts'

/** How long a search starts requests for items without a vector, or waits for the background to. */
const CATCH_UP_MS = 1000

export interface QueryVector {
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  /** Set when a provider made the vector: items may lack one for a while. */
  readonly isProvided?: true
  /** How many items still lack a vector from the provider. */
  readonly missing?: number
  /** Why the question, or some items, have no vector. */
  readonly problem?: string
}

export function questionEmbedder(
  { library, policy, projectPath }: Workspace,
  request: SearchRequest,
): (index: LiveIndex) => Promise<QueryVector> {
  const asking = providerAsker(request)
  return async index => {
    const { builtIn, provider } = await readMeaning(library, { policy })
    if (!isQuestion(request.query, request)) return {}
    if (!provider) return builtIn ? tryAsking(async () => embedAtOnce(index, builtIn(), request.text)) : {}
    if (!index.isWatching) return asking(index, provider)
    const background = await library.keep(`embedding:${projectPath}`, () => new BackgroundEmbedding())
    return askBeside(background, { index, embedder: provider, text: request.text })
  }
}

function embedAtOnce(index: LiveIndex, { embedder, problem }: BuiltInModel, text: string): QueryVector {
  if (!embedder) return { problem }
  index.complete(embedder)
  const values = embedder.embedQuestion(text)
  return values ? { vector: { model: embedder.model, values } } : {}
}

interface Asked {
  readonly index: LiveIndex
  readonly embedder: Embedder
  readonly text: string
}

/** In a long-running process: asks for the question's vector; items are embedded in the background. */
async function askBeside(
  background: BackgroundEmbedding,
  { index, embedder, text }: Asked,
): Promise<QueryVector> {
  const { questionProblem } = background
  if (questionProblem !== undefined) return { problem: questionProblem }
  const question = await tryAsking(async () => {
    try {
      return await askQuestion(embedder, text, performance.now() + SEARCH_MS)
    } catch (thrown) {
      background.questionFailed(thrown)
      throw thrown
    }
  })
  if (!question.vector) return question
  await background.start(index, embedder, {
    dimensions: question.vector.values.length,
    waitMs: CATCH_UP_MS,
  })
  const problem = background.takeProblem()
  return { ...question, missing: background.missing, ...(problem !== undefined && { problem }) }
}

/**
 * Asks a provider on behalf of one search, which may read the index several times: once for the question, and
 * each time for the vectors that the index lacks, never longer than a search may take in total.
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
      asked ??= tryAsking(() => askQuestion(embedder, request.text, deadline))
      const question = await asked
      if (!question.vector) return question
      const dimensions = question.vector.values.length
      const lastStart = Math.min(deadline, performance.now() + CATCH_UP_MS)
      const others = await tryAsking(async () => {
        const { missing, problem } = await index.embed(embedder, { dimensions, lastStart, deadline })
        return { missing, ...(problem && { problem: problem.message }) }
      })
      return { ...question, ...others }
    } finally {
      leftMs -= performance.now() - start
    }
  }
}

async function askQuestion(embedder: Embedder, text: string, deadline: number): Promise<QueryVector> {
  const [values] = await embedder.embed([text], { deadline })
  return values ? { vector: { model: embedder.model, values }, isProvided: true } : {}
}

async function tryAsking(ask: () => Promise<QueryVector>): Promise<QueryVector> {
  try {
    return await ask()
  } catch (thrown) {
    return { problem: describeProblem(thrown) }
  }
}
