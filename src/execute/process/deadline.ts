// The two ways in which a call is ended from outside: it times out, or it is cancelled.

export interface Bounds {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type Ending = 'timeout' | 'cancelled'

/** Calls `onEnd` at most once. The caller must call the returned function when the work is done. */
export function watchBounds(bounds: Bounds, onEnd: (ending: Ending) => void): () => void {
  const stop = () => {
    clearTimeout(timer)
    bounds.signal?.removeEventListener('abort', cancel)
  }
  const fire = (ending: Ending) => {
    stop()
    onEnd(ending)
  }
  const cancel = () => fire('cancelled')
  const timer = setTimeout(fire, bounds.timeoutMs, 'timeout')
  if (bounds.signal?.aborted) queueMicrotask(cancel)
  else bounds.signal?.addEventListener('abort', cancel, { once: true })
  return stop
}

export function delay(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms)
  })
}
