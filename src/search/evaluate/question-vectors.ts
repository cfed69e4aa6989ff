// The vectors of all questions of a measurement, made before it starts: the time that a provider takes for a
// question is not measured.
import type { SearchRequest } from '../answer/search-request.ts'
import { embedAll } from '../meaning/embed-next.ts'
import type { Embedder, LocalEmbedder } from '../meaning/embedder.ts'
import { Pace } from '../meaning/pace.ts'

/** Where meaning comes from. Without a source, search goes by words alone. */
export type MeaningSource =
  | { readonly local: LocalEmbedder }
  | {
      readonly provider: Embedder
      readonly signal: AbortSignal
      readonly onProgress: (done: number, total: number) => void
    }

/** The vector of a question, by its number; undefined when it has none. */
export type QuestionVectors = (at: number) => SearchRequest['vector']

export async function questionVectors(
  texts: readonly string[],
  source: MeaningSource | undefined,
): Promise<QuestionVectors> {
  if (!source) return () => undefined
  if ('provider' in source) {
    const { provider } = source
    // Fails at once for a provider that does not answer at all, instead of trying again.
    await provider.embed(['dimension'])
    const vectors = await embedAll(provider, texts, new Pace())
    return at => asVector(provider.model, vectors[at])
  }
  const { local } = source
  return at => asVector(local.model, local.embedQuestion(texts[at]!))
}

function asVector(model: string, values: Float32Array | undefined): SearchRequest['vector'] {
  return values && { model, values }
}
