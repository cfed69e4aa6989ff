// How many calls each user of a server may make: a rate, with a burst of ten seconds' worth, and a number at
// once, with a bounded queue behind it. Each process counts for itself: two servers behind a balancer allow
// twice as much.

export interface Limits {
  /** Calls per minute. */
  readonly rate: number
  readonly concurrency: number
  readonly queue: number
}

/** A call that is refused for now. */
export interface Refused {
  readonly reason: 'rate' | 'queue'
  readonly retryAfterSeconds: number
}

export interface Admitted {
  /** Must be called once, when the call has ended. */
  readonly leave: () => void
}

interface State {
  /** Calls left in the rate, as of `at`. */
  left: number
  at: number
  running: number
  readonly waiting: (() => void)[]
}

const BURST_SHARE = 1 / 6
const LONGEST_WAIT_MS = 20_000

export class CallLimits {
  readonly #states = new Map<string, State>()
  readonly #now: () => number

  /** `now` returns milliseconds, and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Calls of all users that wait for their turn. */
  get waiting(): number {
    return this.#sum(state => state.waiting.length)
  }

  get running(): number {
    return this.#sum(state => state.running)
  }

  async enter(user: string, limits: Limits, signal?: AbortSignal): Promise<Admitted | Refused> {
    const state = this.#stateOf(user, limits)
    if (state.left < 1) {
      const seconds = ((1 - state.left) * 60) / limits.rate
      return { reason: 'rate', retryAfterSeconds: Math.max(1, Math.ceil(seconds)) }
    }
    state.left -= 1
    if (state.running >= limits.concurrency) {
      if (state.waiting.length >= limits.queue || !(await this.#turn(state, signal)))
        return { reason: 'queue', retryAfterSeconds: 1 }
    } else state.running += 1
    let left = false
    const leave = () => {
      if (left) return
      left = true
      this.#leave(state)
    }
    return { leave }
  }

  /** Hands the place directly to the next call in the queue, so that no later call takes it. */
  #leave(state: State): void {
    const next = state.waiting.shift()
    if (next) next()
    else state.running -= 1
  }

  #turn(state: State, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise(resolve => {
      const settle = (came: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        resolve(came)
      }
      const start = () => settle(true)
      const giveUp = () => {
        const at = state.waiting.indexOf(start)
        if (at === -1) return
        state.waiting.splice(at, 1)
        settle(false)
      }
      const timer = setTimeout(giveUp, LONGEST_WAIT_MS)
      state.waiting.push(start)
      signal?.addEventListener('abort', giveUp, { once: true })
      if (signal?.aborted) giveUp()
    })
  }

  #stateOf(user: string, { rate }: Limits): State {
    const now = this.#now()
    const burst = Math.max(1, Math.ceil(rate * BURST_SHARE))
    const state = this.#states.get(user) ?? { left: burst, at: now, running: 0, waiting: [] }
    state.left = Math.min(burst, state.left + ((now - state.at) * rate) / 60_000)
    state.at = now
    this.#states.set(user, state)
    return state
  }

  #sum(count: (state: State) => number): number {
    return [...this.#states.values()].reduce((total, state) => total + count(state), 0)
  }
}
