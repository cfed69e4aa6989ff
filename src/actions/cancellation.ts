// Abort signals of calls that follow longer-lived signals. A followed signal gets a single listener, however
// many calls follow it.

export interface Cancellation {
  readonly signal: AbortSignal
  /** Stops following: later aborts of the followed signals change nothing. */
  release(): void
}

/** Makes signals that are aborted, with `reason()`, when any signal they follow is. */
export function createCancellations(reason: () => Error) {
  const followers = new Map<AbortSignal, Followers>()

  const follow = (followed: AbortSignal, own: AbortController) => {
    if (followed.aborted) own.abort(reason())
    const known = followers.get(followed) ?? listenTo(followed, reason)
    followers.set(followed, known)
    known.controllers.add(own)
  }
  const leave = (followed: AbortSignal, own: AbortController) => {
    const known = followers.get(followed)
    known?.controllers.delete(own)
    if (known?.controllers.size !== 0) return
    known.stop()
    followers.delete(followed)
  }
  return (followed: readonly AbortSignal[]): Cancellation => {
    const own = new AbortController()
    for (const signal of followed) follow(signal, own)
    return {
      signal: own.signal,
      release() {
        for (const signal of followed) leave(signal, own)
      },
    }
  }
}

interface Followers {
  readonly controllers: Set<AbortController>
  stop(): void
}

function listenTo(signal: AbortSignal, reason: () => Error): Followers {
  const controllers = new Set<AbortController>()
  const abort = () => {
    for (const controller of controllers) controller.abort(reason())
  }
  signal.addEventListener('abort', abort)
  return { controllers, stop: () => signal.removeEventListener('abort', abort) }
}
