// How many runs happen at once, and which is next. Each caller has a line of its own, and the lines take
// turns, so a caller with a hundred runs delays the first run of another by one, not by a hundred.
import { AppError } from '../../base/index.ts'

interface Waiting {
  readonly start: () => void
}

export class FairQueue {
  readonly #limit: number
  readonly #lines = new Map<string, Waiting[]>()
  #running = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((total, line) => total + line.length, 0)
  }

  /** Runs `work` when its turn comes. A call that is cancelled while waiting leaves the line. */
  async run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1
    else await this.#turn(caller, signal)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      const leave = () => {
        const line = (this.#lines.get(caller) ?? []).filter(entry => entry !== waiting)
        if (line.length > 0) this.#lines.set(caller, line)
        else this.#lines.delete(caller)
        reject(new AppError('EXECUTION_CANCELLED', 'the call was cancelled while it waited for its turn'))
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      const line = this.#lines.get(caller)
      if (line) line.push(waiting)
      else this.#lines.set(caller, [waiting])
    })
  }

  /**
   * Hands the place of a finished run to the first of the line whose turn it is; that line goes to the back.
   */
  #next(): void {
    const turn = this.#lines.entries().next()
    if (turn.done) {
      this.#running -= 1
      return
    }
    const [caller, line] = turn.value
    const first = line.shift()!
    this.#lines.delete(caller)
    if (line.length > 0) this.#lines.set(caller, line)
    first.start()
  }
}
