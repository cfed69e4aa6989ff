// What turns texts into vectors. Two kinds: a provider over HTTP, and the model that is built in.

export interface Embedder {
  readonly model: string
  /** One unit vector for each text; throws `REMOTE_FAILED`, at the latest at the deadline, a time of `performance.now()`. */
  embed(texts: readonly string[], deadline?: number): Promise<Float32Array[]>
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
