// Embeds the first of many texts at the pace of a provider. Call it again for the rest.
import { setTimeout as pause } from 'node:timers/promises'
import type { Embedder, EmbedLimits } from './embedder.ts'
import { type Pace, REQUEST_MS } from './pace.ts'
import { ProviderError } from './provider-error.ts'

/**
 * Returns the vectors of as many of the first texts as were sent; none when the provider refuses the first
 * one. Throws when it gives up.
 */
export async function embedNext(
  embedder: Embedder,
  texts: readonly string[],
  pace: Pace,
  { deadline = Number.POSITIVE_INFINITY, signal }: EmbedLimits = {},
): Promise<readonly Float32Array[]> {
  for (;;) {
    const sent = texts.slice(0, pace.size)
    const started = performance.now()
    try {
      const limits = { deadline: Math.min(deadline, started + REQUEST_MS), ...(signal && { signal }) }
      const vectors = await embedder.embed(sent, limits)
      pace.succeeded(sent.length, performance.now() - started)
      return vectors
    } catch (thrown) {
      if (!(thrown instanceof ProviderError) || signal?.aborted) throw thrown
      const next = pace.failed(sent.length, thrown)
      if (next === 'leave out') return []
      if (next === 'give up' || performance.now() + next.waitMs >= deadline) throw thrown
      await pause(next.waitMs, undefined, signal && { signal })
    }
  }
}

/** Vectors of all texts, each of the same length; undefined for a text that the provider refuses. */
export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  pace: Pace,
): Promise<(Float32Array | undefined)[]> {
  const all: (Float32Array | undefined)[] = []
  while (all.length < texts.length) {
    const vectors = await embedNext(embedder, texts.slice(all.length), pace)
    all.push(...(vectors.length > 0 ? vectors : [undefined]))
  }
  return all
}
