// Decides how many texts a provider gets at once, and what to do after a failure. The speed of providers
// differs by a factor of a thousand: one takes a second and a half for eight texts, another a hundredth of a
// second for sixty-four. Nothing is known at first, so the first request is small, and later ones go by the
// time that it took.
import type { ProviderProblem } from './provider-error.ts'

const FIRST = 8
const MOST = 64
/** A request should take about this long, so that progress can be seen and little is lost when one fails. */
const AIM_MS = 4000
/** What one request may take: a local provider may load its model first. */
export const REQUEST_MS = 60_000
/** A provider that asks for a longer wait is not waited for. */
const LONGEST_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500
const MOST_WAITS = 6
const MOST_LOST = 3
const MOST_REFUSED = 3

/** Try again after a while, leave out the text, or give up. */
export type NextStep = { readonly waitMs: number } | 'leave out' | 'give up'

export class Pace {
  #size = FIRST
  /** Failures of each kind, in a row. */
  #waits = 0
  #lost = 0
  #refused = 0

  /** How many texts to send. */
  get size(): number {
    return this.#size
  }

  succeeded(texts: number, ms: number): void {
    this.#waits = 0
    this.#lost = 0
    this.#refused = 0
    const fitting = Math.floor((texts * AIM_MS) / Math.max(1, ms))
    this.#size = Math.max(1, Math.min(fitting, 2 * texts, MOST))
  }

  failed(
    texts: number,
    {
      problem,
      retryAfterMs,
    }: { readonly problem: ProviderProblem; readonly retryAfterMs?: number | undefined },
  ): NextStep {
    if (problem === 'busy') return this.#wait(texts, retryAfterMs)
    if (problem === 'slow' || problem === 'unreachable') return this.#shrink(texts, problem)
    if (problem === 'denied') return 'give up'
    if (texts > 1) return this.#retry(texts >> 1, 0)
    return ++this.#refused < MOST_REFUSED ? 'leave out' : 'give up'
  }

  #wait(texts: number, retryAfterMs: number | undefined): NextStep {
    const waitMs = retryAfterMs ?? FIRST_WAIT_MS * 2 ** this.#waits
    if (++this.#waits > MOST_WAITS || waitMs > LONGEST_WAIT_MS) return 'give up'
    return this.#retry(texts >> 1, waitMs)
  }

  /** A lost request has cost much time, so the next one is much smaller. */
  #shrink(texts: number, problem: ProviderProblem): NextStep {
    if (++this.#lost >= MOST_LOST || (texts === 1 && problem === 'slow')) return 'give up'
    return this.#retry(texts >> 2, problem === 'slow' ? 0 : FIRST_WAIT_MS * 2 ** this.#lost)
  }

  #retry(size: number, waitMs: number): NextStep {
    this.#size = Math.max(1, size)
    return { waitMs }
  }
}
