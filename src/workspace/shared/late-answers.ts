// Answers that may come too late: whoever asks waits for as long as it can, and the answer is kept for who asks the same again.
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../base/index.ts'

const KEPT_MS = 30_000
const MOST_KEPT = 32

interface Kept<T> {
  readonly answer: Promise<T>
  readonly until: number
}

export class LateAnswers<T> {
  readonly #kept = new Map<string, Kept<T>>()

  /** What was asked for a moment ago is not asked again; an answer is given out once after it came. */
  ask(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now()
    for (const [old, { until }] of this.#kept) if (until < now) this.#kept.delete(old)
    const known = this.#kept.get(key)
    if (known) return known.answer
    const answer = ask()
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(key, { answer, until: now + KEPT_MS })
    answer.catch(() => this.#kept.delete(key))
    return answer
  }

  /** The answer was used: the next one is to be as new as it can be. */
  forget(key: string): void {
    this.#kept.delete(key)
  }
}

/** Throws `REMOTE_FAILED` when the time is over; what is asked goes on. */
export async function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  const waiting = new AbortController()
  const late = pause(ms, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw new AppError('REMOTE_FAILED', `no answer within ${ms / 1000} s`)
  })
  late.catch(() => {})
  answer.catch(() => {})
  try {
    return await Promise.race([answer, late])
  } finally {
    waiting.abort()
  }
}
