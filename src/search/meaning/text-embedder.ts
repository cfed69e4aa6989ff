// Embedders of both kinds as one, for texts that have no parts: a provider, at its pace, or a model on this machine.
import { embedAll } from './embed-next.ts'
import type { Embedder, LocalEmbedder } from './embedder.ts'
import { Pace } from './pace.ts'

export interface TextEmbedder {
  readonly model: string
  /** The least cosine of two texts that have to do with each other, where that is known. */
  readonly near: number
  /** How long its vectors are now; throws a `ProviderError`. */
  dimensions(limits?: { readonly withinMs: number }): Promise<number>
  /** Undefined for a question of which it knows no word. */
  embedQuestion(text: string): Promise<Float32Array | undefined>
  /** Undefined for a text that it cannot embed. */
  embedTexts(texts: readonly string[]): Promise<(Float32Array | undefined)[]>
}

export function providedTexts(embedder: Embedder): TextEmbedder {
  return {
    model: embedder.model,
    near: -1,
    async dimensions(limits) {
      const deadline = limits && { deadline: performance.now() + limits.withinMs }
      return (await embedder.embed(['dimension'], deadline))[0]?.length ?? 0
    },
    embedQuestion: async text => (await embedder.embed([text]))[0],
    embedTexts: texts => embedAll(embedder, texts, new Pace()),
  }
}

/** Of the model that is built in: items that are farther from a question are near it by chance. */
const NEAR = 0.25

export function localTexts(embedder: LocalEmbedder): TextEmbedder {
  return {
    model: embedder.model,
    near: NEAR,
    dimensions: async () => embedder.dimensions,
    embedQuestion: async text => embedder.embedQuestion(text),
    embedTexts: async texts =>
      texts.map(text => embedder.embedItem({ title: text, description: '', body: '' })),
  }
}
