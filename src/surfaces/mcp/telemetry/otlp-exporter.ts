// Sends spans to a collector, as OTLP in JSON over HTTP. A call never waits for it and never fails because of
// it: spans are gathered in a bounded queue, and spans that the collector does not accept are dropped and
// counted.
import type { OtlpSettings } from './otlp-settings.ts'

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string>>
  readonly failed: boolean
}

const ATTEMPTS = 3
const RETRIED = [429, 502, 503, 504]
/** A collector that hangs keeps the process alive no longer than this. */
const CLOSE_MS = 3000

export class OtlpExporter {
  readonly #settings: OtlpSettings
  readonly #version: string
  readonly #onProblem: (problem: string) => void
  #queue: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #endRequest = () => {}
  #told: string | undefined
  #closing = false
  dropped = 0

  constructor(settings: OtlpSettings, version: string, onProblem: (problem: string) => void) {
    this.#settings = settings
    this.#version = version
    this.#onProblem = onProblem
  }

  add(span: Span): void {
    const { queueSize, batchSize, delayMs } = this.#settings
    if (this.#queue.length >= queueSize) {
      this.dropped += 1
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= batchSize) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref()
  }

  /** Sends the gathered spans; one request at a time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  /** Sends what can still be sent in `CLOSE_MS`; failed requests are no longer retried. */
  async close(): Promise<void> {
    this.#closing = true
    const deadline = setTimeout(() => {
      this.dropped += this.#queue.splice(0).length
      this.#endRequest()
    }, CLOSE_MS)
    await this.flush()
    clearTimeout(deadline)
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#settings.batchSize)
      if (!(await this.#send(batch))) this.dropped += batch.length
    }
  }

  async #send(batch: readonly Span[]): Promise<boolean> {
    const body = JSON.stringify(this.#document(batch))
    for (let attempt = 1; ; attempt++) {
      const problem = await this.#post(body)
      if (problem === undefined) {
        this.#told = undefined
        return true
      }
      if (attempt < ATTEMPTS && problem.mayRetry && !this.#closing) {
        await new Promise(resolve => setTimeout(resolve, 500 * 2 ** attempt).unref())
        continue
      }
      // Once per kind of problem: a collector that is away would fill the log.
      if (this.#told !== problem.text)
        this.#onProblem(`the collector does not accept traces: ${problem.text}`)
      this.#told = problem.text
      return false
    }
  }

  #post(body: string): Promise<Problem | undefined> {
    const { url, headers, timeoutMs } = this.#settings
    const request = new AbortController()
    this.#endRequest = () => request.abort(new DOMException('too late', 'TimeoutError'))
    const timer = setTimeout(this.#endRequest, timeoutMs).unref()
    return post(url, headers, body, request.signal).finally(() => clearTimeout(timer))
  }

  #document(batch: readonly Span[]): object {
    return {
      resourceSpans: [
        {
          resource: { attributes: attributesOf(this.#settings.resource) },
          scopeSpans: [{ scope: { name: 'rye', version: this.#version }, spans: batch.map(printSpan) }],
        },
      ],
    }
  }
}

interface Problem {
  readonly text: string
  readonly mayRetry: boolean
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // Headers may hold a key for the collector, which is for that address alone.
      redirect: 'error',
      signal,
    })
    await response.body?.cancel()
    if (response.ok) return undefined
    return { text: `status ${response.status}`, mayRetry: RETRIED.includes(response.status) }
  } catch (thrown) {
    return { text: thrown instanceof Error ? thrown.name : 'unknown', mayRetry: true }
  }
}

const SERVER_KIND = 2
const STATUS_ERROR = 2

function printSpan(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: SERVER_KIND,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: attributesOf(span.attributes),
    ...(span.failed && { status: { code: STATUS_ERROR } }),
  }
}

function attributesOf(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
}
