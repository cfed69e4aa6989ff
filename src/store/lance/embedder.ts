/** Turns texts into vectors. Which one, and whether there is one, is for the user's configuration to say. */
export interface Embedder {
  /** Provider and model: vectors of different embedders do not mix. */
  readonly name: string
  readonly dimension: number
  /** One vector for each text, in order. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}
