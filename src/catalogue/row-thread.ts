// Makes rows in a separate thread while the next items are read.
import type { MessagePort } from 'node:worker_threads'
import type { EncodedColumns } from '../lance/index.ts'
import type { MakeRows } from './make-rows.ts'
import type { ItemToWrite, RowOrigin } from './row.ts'

/** The part of `Worker` that is used here. Not everybody who uses our types has the type `Worker` itself. */
export interface Thread {
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  postMessage(message: unknown): void
  terminate(): Promise<unknown>
}

interface Reply {
  readonly columns?: EncodedColumns
  readonly fault?: string
}

interface Waiting {
  resolve(columns: EncodedColumns): void
  reject(reason: Error): void
}

/** The thread answers in the order it was asked. */
export class RowThread {
  readonly #worker: Thread
  readonly #waiting: Waiting[] = []
  #end: Error | undefined

  /** `worker` runs `answerRows`. */
  constructor(worker: Thread) {
    this.#worker = worker
    worker.on('message', reply => {
      const { columns, fault } = reply as Reply
      const waiting = this.#waiting.shift()
      if (columns) waiting?.resolve(columns)
      else waiting?.reject(new Error(fault))
    })
    worker.on('error', error => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('the thread that makes rows has ended')))
  }

  make(items: readonly ItemToWrite[], origin: RowOrigin): Promise<EncodedColumns> {
    if (this.#end) return Promise.reject(this.#end)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.postMessage([items, origin])
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #fail(reason: Error): void {
    this.#end ??= reason
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
  }
}

/** The other end, which runs inside the thread. */
export function answerRows(port: MessagePort, make: MakeRows): void {
  port.on('message', ([items, origin]: [readonly ItemToWrite[], RowOrigin]) => {
    try {
      const columns = make(items, origin)
      port.postMessage({ columns } satisfies Reply, buffersOf(columns))
    } catch (thrown) {
      const fault = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
      port.postMessage({ fault } satisfies Reply)
    }
  })
}

/** Buffers to transfer instead of copying them. */
function buffersOf(columns: EncodedColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap(({ data, valueOffsets, nullBitmap }) =>
    [data, valueOffsets, nullBitmap].flatMap(part => (part ? [part.buffer as ArrayBuffer] : [])),
  )
}
