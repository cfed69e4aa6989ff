// Ctrl-C, or a request to end: running work is told to stop, and the exit status is the one a shell expects.
import { AppError } from '../../base/index.ts'

export interface Interruption {
  readonly signal: AbortSignal
  /** As a shell reports it; undefined when nobody interrupted. */
  status(): number | undefined
  stop(): void
}

const STATUS = { SIGINT: 130, SIGTERM: 143 } as const

/** Listens once, so a second signal of the same kind ends the process. */
export function listenForInterrupt(): Interruption {
  let status: number | undefined
  const abort = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => {
    status = STATUS[signal as keyof typeof STATUS]
    abort.abort(new AppError('EXECUTION_CANCELLED', 'interrupted'))
  }
  const stop = () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  return { signal: abort.signal, status: () => status, stop }
}

/** For a server, which ends for no other reason: resolves to the exit status when it is told to end. */
export function untilInterrupted(): Promise<number> {
  const { signal, status } = listenForInterrupt()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(status()!), { once: true }))
}
