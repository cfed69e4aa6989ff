// Runs inside the thread that `sweep-thread.ts` starts, and answers its requests.
import { AppError, printHint } from '../../base/index.ts'
import type { Sweep, SweepReply, SweepRequest } from './sweep-thread.ts'
import type { Sweeper } from './sweeper.ts'

export interface SweepPort {
  on(event: 'message', listener: (request: SweepRequest) => void): unknown
  postMessage(reply: SweepReply): void
}

/** Answers sweeps until the other end sends `end`. */
export function answerSweeps(port: SweepPort, sweeper: Sweeper): Promise<void> {
  const running = new Map<number, AbortController>()
  const answer = async ({ id, kind, project }: Sweep & { readonly id: number }) => {
    const stopping = new AbortController()
    running.set(id, stopping)
    try {
      port.postMessage({ id, answer: await sweeper[kind](project, stopping.signal) })
    } catch (thrown) {
      port.postMessage({ id, ...describe(thrown) })
    } finally {
      running.delete(id)
    }
  }
  return new Promise(done => {
    port.on('message', request => {
      if (request === 'end') {
        for (const stopping of running.values()) stopping.abort()
        done()
      } else if ('cancel' in request) running.get(request.cancel)?.abort()
      else void answer(request)
    })
  })
}

function describe(thrown: unknown) {
  if (!(thrown instanceof AppError))
    return { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }
  const { code, message, hint } = thrown
  return { failure: { code, message, ...(hint && { hint: printHint(hint, 'person') }) } }
}
