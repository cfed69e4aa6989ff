// Sends a request and reads the answer. It is retried as declared, and bounded in size after decompression.
import type { Readable, Transform } from 'node:stream'
import { AppError, type JsonObject, type JsonValue } from '../../../base/index.ts'
import type { HttpInvocation } from '../../../plan/index.ts'
import type { ResolveHost } from '../../network/resolve-host.ts'
import { type Bounds, delay, watchBounds } from '../../process/deadline.ts'
import { failure, type Outcome, parseJson, readAnswer } from '../result.ts'
import { type HttpResponse, sendRequest } from './http-request.ts'

export interface HttpOptions extends Bounds {
  readonly outputBytes: number
  /** The first pause between attempts. */
  readonly backoffMs: number
  readonly resolveHost?: ResolveHost | undefined
}

const RETRIED_STATUSES = [429, 502, 503, 504]

export async function callHttp(invocation: HttpInvocation, options: HttpOptions): Promise<Outcome> {
  const controller = new AbortController()
  const stopWatching = watchBounds(options, ending => {
    const message =
      ending === 'timeout' ? `no answer within ${options.timeoutMs / 1000} s` : 'the call was cancelled'
    controller.abort(
      new AppError(ending === 'timeout' ? 'EXECUTION_TIMEOUT' : 'EXECUTION_CANCELLED', message),
    )
  })
  try {
    const attempts = Math.max(1, invocation.retry.attempts)
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(invocation, options, controller.signal)
      if (attempt === attempts || !isWorthRetrying(outcome)) return outcome.result
      const factor = invocation.retry.backoff === 'exponential' ? 2 ** (attempt - 1) : 1
      await Promise.race([delay(options.backoffMs * factor), whenAborted(controller.signal)])
    }
  } finally {
    stopWatching()
    controller.abort()
  }
}

interface Attempt {
  readonly result: Outcome
  readonly status: number | null
}

function isWorthRetrying({ result, status }: Attempt): boolean {
  if (status !== null) return RETRIED_STATUSES.includes(status)
  return result.status === 'error' && result.error.code === 'REMOTE_FAILED'
}

async function tryOnce(
  invocation: HttpInvocation,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const response = await sendRequest(
      { ...invocation, ...encodeBody(invocation), signal },
      options.resolveHost,
    )
    const body = await readBody(response, options.outputBytes, signal)
    return { result: readResponse(response, body), status: response.status }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { result: { status: 'error', error: thrown, data: null }, status: null }
  }
}

function encodeBody({ body, headers }: HttpInvocation): {
  body: Uint8Array | null
  headers: Record<string, string>
} {
  const names = Object.keys(headers).map(name => name.toLowerCase())
  const sent = {
    ...headers,
    ...(names.includes('accept-encoding') ? {} : { 'accept-encoding': 'gzip, deflate, br' }),
  }
  if (body === null) return { body: null, headers: sent }
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    body: Buffer.from(text),
    headers: { ...sent, ...(names.includes('content-type') ? {} : { 'content-type': type }) },
  }
}

function readResponse(response: HttpResponse, text: string): Outcome {
  const body: JsonValue = parseJson(text) ?? text
  const { 'set-cookie': _, ...headers } = response.headers
  const data: JsonObject = { status_code: response.status, body, headers }
  if (response.status < 200 || response.status >= 400) {
    return failure('REMOTE_FAILED', `\`${new URL(response.url).origin}\` answered ${response.status}`, data)
  }
  const answer = readAnswer(body)
  return answer.status === 'error' ? { ...answer, data } : { status: 'success', data }
}

/** Reads at most `limit` bytes, counted after decompression. */
export async function readBody(response: HttpResponse, limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let received = 0
  try {
    for await (const chunk of await decompress(response)) {
      received += chunk.length
      if (received > limit) {
        throw new AppError(
          'OUTPUT_TOO_LARGE',
          `the answer of \`${new URL(response.url).origin}\` exceeds ${limit} bytes`,
        )
      }
      chunks.push(chunk)
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (thrown instanceof AppError) throw thrown
    throw new AppError('REMOTE_FAILED', 'the answer was cut off or could not be decompressed', {
      cause: thrown,
    })
  } finally {
    response.body.destroy()
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function decompress(response: HttpResponse): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return response.body
  const zlib = await import('node:zlib')
  const decoders: Readonly<Record<string, () => Transform>> = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  }
  const createDecoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  if (!createDecoder)
    throw new AppError(
      'REMOTE_FAILED',
      `the answer is compressed with \`${encoding}\`, which is not supported`,
    )
  const decoder = createDecoder()
  response.body.on('error', thrown => decoder.destroy(thrown))
  return response.body.pipe(decoder)
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
