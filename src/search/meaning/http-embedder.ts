// Embeddings over HTTP, as OpenAI, Ollama and vLLM provide them: POST /v1/embeddings. Answers are not
// trusted: each is checked.
import { setTimeout as pause } from 'node:timers/promises'
import { isRecord } from '../../base/index.ts'
import { unitVector } from '../rank/cosine.ts'
import type { Embedder, EmbedLimits } from './embedder.ts'
import {
  ProviderError,
  type ProviderProblem,
  problemOfStatus,
  readRetryAfter,
  sayingOf,
} from './provider-error.ts'

/** The largest models return 12 288 numbers. */
const MOST_NUMBERS = 16_384
/** Enough for as many numbers with all their digits. */
const BYTES_PER_TEXT = 512 * 1024
const BYTES_OF_FAILURE = 8192
const FAILURE_MS = 500

export interface EmbedderOptions {
  /** The base address, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: string
  /** How long one request may take, from the connection to the last byte of the answer. */
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

export function createEmbedder(options: EmbedderOptions): Embedder {
  const address = `${options.url.replace(/\/+$/, '')}/embeddings`
  const { host } = new URL(address)
  return {
    model: options.model,
    embed: async (texts, limits = {}) => {
      if (texts.length === 0) return []
      return readVectors(host, texts.length, await exchange({ ...options, address, host, texts, ...limits }))
    },
  }
}

function readVectors(host: string, expected: number, text: string): Float32Array[] {
  const body = parseObject(text)
  const rows: unknown[] = Array.isArray(body.data) ? body.data : []
  if (rows.length !== expected)
    throw failure(host, 'refused', `expected ${expected} embeddings, got ${rows.length}`)
  const vectors = new Map<number, Float32Array>()
  rows.forEach((row, position) => {
    if (!isRecord(row) || !isVector(row.embedding)) return
    const vector = unitVector(row.embedding)
    if (vector) vectors.set(typeof row.index === 'number' ? row.index : position, vector)
  })
  return Array.from(rows, (_, index) => {
    const vector = vectors.get(index)
    if (!vector || vector.length !== vectors.get(0)?.length)
      throw failure(host, 'refused', 'expected vectors of numbers, all of one length')
    return vector
  })
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= MOST_NUMBERS && value.every(one => typeof one === 'number')
}

interface Exchange extends EmbedderOptions, EmbedLimits {
  readonly address: string
  readonly host: string
  readonly texts: readonly string[]
}

/**
 * The text of the answer. The connection is always closed at the end, so that no more of a body is received.
 */
async function exchange(options: Exchange): Promise<string> {
  const { address, host, timeoutMs, deadline = Number.POSITIVE_INFINITY, signal } = options
  const limitMs = Math.max(0, Math.round(Math.min(timeoutMs, deadline - performance.now())))
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limitMs)
  const stop = () => controller.abort()
  signal?.addEventListener('abort', stop)
  let response: Response | undefined
  try {
    signal?.throwIfAborted()
    response = await options.fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.key && { authorization: `Bearer ${options.key}` }),
      },
      body: JSON.stringify({ model: options.model, input: options.texts }),
      signal: controller.signal,
      // The key is for the address that the user named, not for one that it redirects to.
      redirect: 'manual',
    })
    if (!response.ok) throw await statusFailure(response, options)
    const mostBytes = BYTES_PER_TEXT * options.texts.length
    const text = await readText(response, mostBytes)
    if (text === undefined) throw failure(host, 'refused', `expected at most ${mostBytes} bytes, got more`)
    return text
  } catch (thrown) {
    signal?.throwIfAborted()
    if (controller.signal.aborted) throw failure(host, 'slow', `no answer within ${limitMs} ms`, thrown)
    if (thrown instanceof ProviderError) throw thrown
    throw failure(
      host,
      'unreachable',
      response ? 'the connection closed before the answer was complete' : 'it cannot be reached',
      thrown,
    )
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    controller.abort()
  }
}

async function statusFailure(response: Response, { host, key }: Exchange): Promise<ProviderError> {
  const { status, headers } = response
  if (status >= 300 && status < 400)
    return failure(host, 'denied', `expected status 200, got ${status}: redirects are not followed`)
  const said = sayingOf(parseObject(await readSoon(response)), key)
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now())
  return new ProviderError(host, {
    problem: problemOfStatus(status),
    text: `expected status 200, got ${status}${said ? `: ${said}` : ''}`,
    retryAfterMs,
  })
}

/** What the provider says about its failure, if it says so at once: the body may never end. */
async function readSoon(response: Response): Promise<string> {
  const waiting = new AbortController()
  const late = pause(FAILURE_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
  const text = readText(response, BYTES_OF_FAILURE).catch(() => undefined)
  return (await Promise.race([text, late]).finally(() => waiting.abort())) ?? ''
}

/** Undefined when there are more than `mostBytes` after decompression. */
async function readText({ body }: Response, mostBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let received = 0
  for await (const chunk of body ?? []) {
    received += chunk.length
    if (received > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    // Reported by the caller: there are no embeddings in it.
    return {}
  }
}

function failure(host: string, problem: ProviderProblem, text: string, cause?: unknown): ProviderError {
  return new ProviderError(host, { problem, text, cause })
}
