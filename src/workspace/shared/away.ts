// Whether a catalogue answers. One that hangs would cost every call the full waiting time, so after one such
// call it is treated as away for a while, unless an answer arrives after all.
import { AppError } from '../../base/index.ts'

const AWAY_MS = 30_000

/** Codes that mean that the catalogue cannot be asked: no answer, no table, no LanceDB. */
const AWAY: ReadonlySet<string> = new Set(['REMOTE_FAILED', 'ITEM_NOT_FOUND', 'NOT_AVAILABLE'])

export function isAway(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && AWAY.has(thrown.code)
}

export class Presence {
  #cause: AppError | undefined
  #until = 0

  /** Throws the reason why the last question had no answer, if that was a moment ago. */
  check(): void {
    if (this.#cause && performance.now() < this.#until)
      throw new AppError('REMOTE_FAILED', `${this.#cause.message}, a moment ago`, { cause: this.#cause })
  }

  answered(): void {
    this.#cause = undefined
  }

  /** After a quick failure the catalogue is asked again, as the cause may have been fixed. */
  failed(thrown: unknown, tookMs: number): void {
    if (!isAway(thrown) || tookMs < LONG_MS) return
    this.#cause = thrown
    this.#until = performance.now() + AWAY_MS
  }

  /** Asks, and remembers whether there was an answer, however late. */
  async watch<T>(ask: () => Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      const answer = await ask()
      this.answered()
      return answer
    } catch (thrown) {
      this.failed(thrown, performance.now() - started)
      throw thrown
    }
  }
}

const LONG_MS = 1000
