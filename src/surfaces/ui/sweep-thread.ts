// A sweeper in a thread of its own. A sweep allocates as much as everything else the server does, and takes a
// second for ten thousand items. In a thread, it does not block the one that answers key presses, and its
// memory goes back to the system when it ends.
import type { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../base/index.ts'
import type { Sweeper } from './sweeper.ts'

export interface Sweep {
  readonly kind: keyof Sweeper
  readonly project: number
}

/** Sent to the thread: start a sweep, cancel one that nobody waits for any more, or end the thread. */
export type SweepRequest = (Sweep & { readonly id: number }) | { readonly cancel: number } | 'end'

export type SweepReply = { readonly id: number } & (
  | { readonly answer: object }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string; readonly hint?: string } }
  | { readonly fault: string }
)

export interface SweepThreads extends Sweeper {
  close(): Promise<void>
}

/** Changes often come in bursts, and the verdicts of the last sweep stay known for this long. */
const IDLE_MS = 1000
const ENDING_MS = 1000

/**
 * Runs at most one thread at a time, only while needed. `start` makes a thread that runs `answerSweeps`;
 * `onRest` is called when it has ended.
 */
export function sweepInThreads(start: () => Worker, onRest: () => void = () => {}): SweepThreads {
  let thread: SweepThread | undefined
  let idle: NodeJS.Timeout | undefined
  const rest = async () => {
    const resting = thread
    thread = undefined
    await resting?.end()
  }
  const ask = async (sweep: Sweep, signal: AbortSignal): Promise<object> => {
    clearTimeout(idle)
    if (thread === undefined || thread.isOver) thread = new SweepThread(start())
    const asked = thread
    try {
      return await asked.ask(sweep, signal)
    } finally {
      if (asked === thread && asked.isIdle) idle = setTimeout(() => rest().then(onRest), IDLE_MS).unref()
    }
  }
  return {
    // Safe: the thread sends the answer of its own sweeper.
    summary: (project, signal) => ask({ kind: 'summary', project }, signal) as ReturnType<Sweeper['summary']>,
    references: (project, signal) =>
      ask({ kind: 'references', project }, signal) as ReturnType<Sweeper['references']>,
    doctor: (project, signal) => ask({ kind: 'doctor', project }, signal),
    async close() {
      clearTimeout(idle)
      await rest()
    },
  }
}

interface Waiting {
  resolve(answer: object): void
  reject(reason: unknown): void
}

class SweepThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<unknown>
  #next = 0
  isOver = false

  constructor(worker: Worker) {
    this.#worker = worker
    worker.unref()
    worker.on('message', (reply: SweepReply) => this.#settle(reply))
    worker.on('error', error => this.#fail(error))
    worker.once('exit', () => this.#fail(new Error('the thread has ended')))
    this.#ended = new Promise(done => worker.once('exit', done))
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  ask(sweep: Sweep, signal: AbortSignal): Promise<object> {
    const id = this.#next++
    const cancel = () => this.#worker.postMessage({ cancel: id } satisfies SweepRequest)
    signal.addEventListener('abort', cancel, { once: true })
    return new Promise<object>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ ...sweep, id } satisfies SweepRequest)
      if (signal.aborted) cancel()
    }).finally(() => signal.removeEventListener('abort', cancel))
  }

  /** The thread closes what it opened and ends by itself; if it does not, it is terminated. */
  async end(): Promise<void> {
    this.#worker.postMessage('end' satisfies SweepRequest)
    const timer = setTimeout(() => this.#worker.terminate(), ENDING_MS)
    await this.#ended
    clearTimeout(timer)
  }

  #settle(reply: SweepReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('answer' in reply) waiting?.resolve(reply.answer)
    else if ('fault' in reply) waiting?.reject(new Error(reply.fault))
    else {
      const { code, message, hint } = reply.failure
      waiting?.reject(new AppError(code, message, hint === undefined ? {} : { hint }))
    }
  }

  #fail(reason: Error): void {
    this.isOver = true
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}
