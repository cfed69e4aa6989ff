// Makes the vectors of items through a provider, at its own pace: while a person waits (`rye index`), or in
// the background of a server.
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../base/index.ts'
import { type Embedder, isBusy, isOutOfSpace, ProviderError } from '../search/index.ts'
import type { LiveIndex } from './live-index.ts'

export interface EmbeddingReport {
  readonly model: string
  readonly embedded: number
  /** How many items still have no vector, if known. */
  readonly missing?: number
  /** Why some are missing. */
  readonly problem?: string
}

export interface EmbedLibraryOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** How long to wait for another process that is embedding the same items. */
const WAIT_MS = 3_600_000
const WITHOUT_END = { lastStart: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY }

/** Embeds all items of an index that have no vector. Finished work is kept, however this ends. */
export async function embedLibrary(
  index: LiveIndex,
  embedder: Embedder,
  { signal, onProgress }: EmbedLibraryOptions,
): Promise<EmbeddingReport> {
  const { model } = embedder
  try {
    // Finds out the current length of its vectors: vectors of another length are made again.
    const [probe] = await embedder.embed(['dimension'], { signal })
    const bounds = { ...WITHOUT_END, signal, onProgress, waitMs: WAIT_MS, dimensions: probe?.length ?? 0 }
    const { embedded, missing, problem } = await index.embed(embedder, bounds)
    return { model, embedded, missing, ...(problem && { problem: problem.message }) }
  } catch (thrown) {
    return { model, embedded: 0, problem: describeProblem(thrown) }
  }
}

/** Says why vectors could not be made or stored. Rethrows errors that are not such a reason. */
export function describeProblem(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.message
  if (isBusy(thrown) || isOutOfSpace(thrown)) return 'the index cannot be written at present'
  throw thrown
}

/** After a failure a provider is left alone for this long, doubled after each further one. */
const REST_MS = { first: 30_000, most: 600_000 }

/** What a long-running process knows about the provider, for one index. */
export class BackgroundEmbedding {
  #stopping = new AbortController()
  #running: Promise<void> | undefined
  #missing = 0
  #failures = 0
  #restUntil = 0
  /** The last problem, until it was reported. */
  #unsaid: string | undefined
  #question: { readonly problem: string; readonly until: number } | undefined

  /** Why the provider is not asked for the vectors of questions at present: a recent one got no answer. */
  get questionProblem(): string | undefined {
    return this.#question && performance.now() < this.#question.until ? this.#question.problem : undefined
  }

  /** Remembers that a question got no answer. */
  questionFailed(thrown: unknown): void {
    if (!(thrown instanceof ProviderError) || thrown.problem === 'refused') return
    this.#question = { problem: thrown.message, until: performance.now() + REST_MS.first }
  }

  /** How many items have no vector yet, while embedding goes on. */
  get missing(): number {
    return this.#missing
  }

  /** Why items have no vector. Each problem is reported once. */
  takeProblem(): string | undefined {
    const problem = this.#unsaid
    this.#unsaid = undefined
    return problem
  }

  /** Starts embedding items without a vector, unless it runs or the provider rests. Waits a moment for it. */
  async start(index: LiveIndex, embedder: Embedder, options: StartOptions): Promise<void> {
    if (this.#running || performance.now() < this.#restUntil || this.#stopping.signal.aborted) return
    this.#running = this.#embed(index, embedder, options.dimensions).finally(() => {
      this.#running = undefined
    })
    const waiting = new AbortController()
    const moment = pause(options.waitMs, undefined, { signal: waiting.signal, ref: false }).catch(() => {})
    await Promise.race([this.#running, moment]).finally(() => waiting.abort())
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #embed(index: LiveIndex, embedder: Embedder, dimensions: number): Promise<void> {
    const { signal } = this.#stopping
    const onProgress = (done: number, total: number) => {
      this.#missing = total - done
    }
    try {
      const { missing, problem } = await index.embed(embedder, {
        ...WITHOUT_END,
        ...{ dimensions, signal, onProgress },
      })
      this.#missing = missing
      if (problem) this.#rest(problem.message, problem.retryAfterMs)
      else this.#failures = 0
    } catch (thrown) {
      if (!signal.aborted) this.#rest(describeProblem(thrown))
    }
  }

  #rest(problem: string, retryAfterMs = 0): void {
    this.#unsaid = problem
    const restMs = Math.min(REST_MS.most, REST_MS.first * 2 ** this.#failures)
    this.#failures++
    this.#restUntil = performance.now() + Math.max(restMs, retryAfterMs)
  }
}

interface StartOptions {
  /** The length of the question's vector. */
  readonly dimensions: number
  readonly waitMs: number
}
