// What turns texts into vectors. Two kinds: a provider over HTTP, and the model that is built in.

export interface Embedder {
  readonly model: string
  /** One unit vector for each text, all of one length; throws a `ProviderError`. */
  embed(texts: readonly string[], limits?: EmbedLimits): Promise<Float32Array[]>
}

export interface EmbedLimits {
  /** A time of `performance.now()`, at the latest of which it gives up. */
  readonly deadline?: number
  readonly signal?: AbortSignal
}

/** What is embedded of an item. */
export interface ItemText {
  /** The name, where there is no title. */
  readonly title: string
  readonly description: string
  readonly body: string
}

/** How much of a body is embedded, in characters: what it is about comes first. */
export const EMBEDDED_BODY = 1200

/** Embeds at once, without asking anybody. Undefined for a text of which it knows no word. */
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
