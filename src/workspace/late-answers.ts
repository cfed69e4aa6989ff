// Answers from elsewhere that may come too late. A caller waits as long as it can afford, and a late answer
// is kept for the next caller with the same question.
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../base/index.ts'

const MOST_KEPT = 100
/** Further questions are refused while this many are unanswered. */
const MOST_OPEN = 8

interface Kept<T> {
  readonly answer: Promise<T>
  readonly until: number
  isOpen: boolean
}

export class LateAnswers<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #keepMs: number
  readonly #closing = new AbortController()

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  /** A question that was asked a moment ago is not asked again, unless it failed. */
  ask(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const now = performance.now()
    for (const [old, { until, isOpen }] of this.#kept) if (until < now && !isOpen) this.#kept.delete(old)
    const known = this.#kept.get(key)
    if (known) return known.answer
    if ([...this.#kept.values()].filter(({ isOpen }) => isOpen).length >= MOST_OPEN) return tooMany()
    const kept = { answer: ask(this.#closing.signal), until: now + this.#keepMs, isOpen: true }
    this.#kept.set(key, kept)
    for (const old of [...this.#kept.keys()].slice(0, this.#kept.size - MOST_KEPT)) this.#kept.delete(old)
    const end = () => {
      kept.isOpen = false
    }
    kept.answer.then(end, () => {
      end()
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept.answer
  }

  /** To be called when the answer was used, so that the next one is fresh. */
  forget(key: string): void {
    this.#kept.delete(key)
  }

  /** Cancels open questions. */
  close(): void {
    this.#closing.abort()
  }
}

/** The caller may take the answer much later; until then the rejection must not count as unhandled. */
function tooMany(): Promise<never> {
  const refused = Promise.reject(new AppError('REMOTE_FAILED', 'too many requests are waiting for an answer'))
  refused.catch(() => {})
  return refused
}

/** Throws `late` when the time is over. The work itself goes on. */
export async function within<T>(
  answer: Promise<T>,
  ms: number,
  late = new AppError('REMOTE_FAILED', `no answer within ${ms / 1000} s`),
): Promise<T> {
  const waiting = new AbortController()
  const end = pause(ms, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw late
  })
  end.catch(() => {})
  answer.catch(() => {})
  try {
    return await Promise.race([answer, end])
  } finally {
    waiting.abort()
  }
}
