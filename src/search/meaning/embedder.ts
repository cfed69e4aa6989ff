// Embedders turn texts into vectors. There are two kinds: a provider over HTTP, and a model on this machine.

export interface Embedder {
  readonly model: string
  /** One unit vector for each text, all of one length; throws a `ProviderError`. */
  embed(texts: readonly string[], limits?: EmbedLimits): Promise<Float32Array[]>
}

export interface EmbedLimits {
  /** When to give up, as a time of `performance.now()`. */
  readonly deadline?: number
  readonly signal?: AbortSignal
}

/** The parts of an item that are embedded. */
export interface ItemText {
  /** The title, or the name of an item without one. */
  readonly title: string
  readonly description: string
  readonly body: string
}

/** How many characters of a body are embedded. Its beginning says what it is about. */
export const EMBEDDED_BODY = 1200

/** Embeds synchronously, without a provider. Returns undefined for a text when it knows none of its words. */
export interface LocalEmbedder {
  readonly model: string
  readonly dimensions: number
  embedQuestion(text: string): Float32Array | undefined
  embedItem(item: ItemText): Float32Array | undefined
}

/** An item as one text, for embedders that take nothing else. */
export function textOfItem({ title, description, body }: ItemText): string {
  return [title, description, body.slice(0, EMBEDDED_BODY)].filter(part => part !== '').join('\n')
}
