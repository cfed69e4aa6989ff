// Both kinds of embedder behind one interface, for texts that have no parts: a provider, at its pace, or a
// model on this machine.
import { embedAll } from './embed-next.ts'
import type { Embedder, LocalEmbedder } from './embedder.ts'
import { Pace } from './pace.ts'

export interface TextEmbedder {
  readonly model: string
  /** The least cosine of two related texts; -1 when it is not known. */
  readonly near: number
  /** The length of its vectors at present. Throws a `ProviderError`. */
  dimensions(limits?: { readonly withinMs: number }): Promise<number>
  /** Undefined for a question when it knows none of its words. */
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

/** For the built-in model: an item with a lower cosine is near a question only by chance. */
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
