// A sweeper in a thread of its own. A sweep allocates as much as all else that the server does, and takes a second where there are ten
// thousand items: here the thread that answers keys stays free, and what was needed goes back to the system when this one ends.
import type { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '../../base/index.ts'
import type { Sweeper } from './sweeper.ts'

export interface Sweep {
  readonly kind: keyof Sweeper
  readonly project: number
}

/** To the thread: a sweep, the end of one that nobody waits for any more, or of all. */
export type SweepRequest = (Sweep & { readonly id: number }) | { readonly cancel: number } | 'end'

export type SweepReply = { readonly id: number } & (
  | { readonly answer: object }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string; readonly hint?: string } }
  | { readonly fault: string }
)

export interface SweepThreads extends Sweeper {
  close(): Promise<void>
}

/** Changes often come in bursts, and the verdicts of the last sweep are still known for this long. */
const IDLE_MS = 1000
const ENDING_MS = 1000

/** One thread at a time, when there is something to do. `start` makes one that runs `answerSweeps`; `onRest` is called when it has ended. */
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
    // What the thread answers is what the sweeper there answered.
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

  /** It closes what it opened, and ends by itself; one that does not is ended. */
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
