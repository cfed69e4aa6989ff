// What a registry answers beside a local search. The local answer waits for nobody: where the registry is not as quick, its answer is kept
// for the next search of the same words, as long as the library is open.
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../../base/index.ts'
import type { FullResult } from './answer.ts'

/** How long the local answer, once it is there, waits for one of the registry that is about to arrive. */
const GRACE_MS = 30
const FRESH_MS = 5 * 60_000
const MOST_KEPT = 100
/** More questions than this are not asked at a time. */
const MOST_OPEN = 4

export interface RegistryHits {
  /** The best first. */
  readonly results: readonly FullResult[]
  readonly warning?: string
}

interface Asked {
  readonly at: number
  readonly hits: Promise<RegistryHits>
  isOpen: boolean
}

export class LateHits {
  readonly #asked = new Map<string, Asked>()
  readonly #closing = new AbortController()

  /** Asks, unless the same was asked a moment ago. */
  ask(key: string, search: (signal: AbortSignal) => Promise<RegistryHits>): void {
    const known = this.#asked.get(key)
    if (known && (known.isOpen || Date.now() - known.at < FRESH_MS)) return
    if ([...this.#asked.values()].filter(({ isOpen }) => isOpen).length >= MOST_OPEN) return
    const hits = search(this.#closing.signal)
    const asked = { at: Date.now(), hits, isOpen: true }
    this.#asked.delete(key)
    this.#asked.set(key, asked)
    const end = () => {
      asked.isOpen = false
    }
    hits.then(end, end)
    for (const old of [...this.#asked.keys()].slice(0, this.#asked.size - MOST_KEPT)) this.#asked.delete(old)
  }

  /** What there is by now; what went wrong is a warning, and is asked again the next time. */
  async take(key: string): Promise<RegistryHits> {
    const hits = this.#asked.get(key)?.hits
    const waiting = new AbortController()
    const late = { results: [], warning: 'the registry has not answered yet: search again, or in it alone' }
    const grace = pause(GRACE_MS, late, { signal: waiting.signal }).catch(() => late)
    try {
      return hits ? await Promise.race([hits, grace]) : late
    } catch (thrown) {
      this.#asked.delete(key)
      if (!(thrown instanceof AppError)) throw thrown
      return { results: [], warning: `the registry was left out: ${thrown.message}` }
    } finally {
      waiting.abort()
    }
  }

  close(): void {
    this.#closing.abort()
  }
}
