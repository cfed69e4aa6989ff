// Embeddings over HTTP, as OpenAI, Ollama and vLLM provide them: POST /v1/embeddings. Answers are not trusted, and checked.
import { AppError, isRecord } from '../../base/index.ts'
import { unitVector } from '../rank/cosine.ts'
import type { Embedder } from './embedder.ts'

/** Enough for 16 000 numbers with all their digits; the largest models return 12 288. */
const BYTES_PER_TEXT = 512 * 1024

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
  return {
    model: options.model,
    embed: (texts, deadline = Number.POSITIVE_INFINITY) => requestVectors(options, texts, deadline),
  }
}

async function requestVectors(
  options: EmbedderOptions,
  texts: readonly string[],
  deadline: number,
): Promise<Float32Array[]> {
  if (texts.length === 0) return []
  const address = `${options.url.replace(/\/+$/, '')}/embeddings`
  const body = parseObject(await exchange({ ...options, address, texts, deadline }))
  const rows = Array.isArray(body.data) ? body.data : []
  if (rows.length !== texts.length)
    throw failure(address, `expected ${texts.length} embeddings, got ${rows.length}`)
  const vectors = new Array<Float32Array | undefined>(texts.length)
  rows.forEach((row: unknown, position) => {
    if (!isRecord(row) || !Array.isArray(row.embedding)) return
    const index = typeof row.index === 'number' ? row.index : position
    if (row.embedding.every(value => typeof value === 'number')) vectors[index] = unitVector(row.embedding)
  })
  return Array.from(texts, (_, index) => {
    const vector = vectors[index]
    if (!vector || vector.length !== vectors[0]?.length)
      throw failure(address, 'expected vectors of numbers, all of one length')
    return vector
  })
}

interface Exchange extends EmbedderOptions {
  readonly address: string
  readonly texts: readonly string[]
  readonly deadline: number
}

/** The text of the answer. The connection is always closed at the end, so that no more of a body is received. */
async function exchange({ address, timeoutMs, deadline, ...options }: Exchange): Promise<string> {
  const limitMs = Math.max(0, Math.round(Math.min(timeoutMs, deadline - performance.now())))
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limitMs)
  let response: Response | undefined
  try {
    response = await options.fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.key && { authorization: `Bearer ${options.key}` }),
      },
      body: JSON.stringify({ model: options.model, input: options.texts }),
      signal: controller.signal,
      // The key is for the address that the user named, not for where it redirects.
      redirect: 'error',
    })
    if (!response.ok) throw failure(address, `expected status 200, got ${response.status}`)
    const mostBytes = BYTES_PER_TEXT * options.texts.length
    const text = await readText(response, mostBytes)
    if (text === undefined) throw failure(address, `expected at most ${mostBytes} bytes, got more`)
    return text
  } catch (thrown) {
    if (controller.signal.aborted) throw failure(address, `no answer within ${limitMs} ms`, thrown)
    if (thrown instanceof AppError) throw thrown
    throw failure(address, response ? 'the answer broke off' : 'it cannot be reached', thrown)
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}

/** Undefined when there are more bytes than that, after decompression. */
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

function failure(address: string, problem: string, cause?: unknown): AppError {
  return new AppError('REMOTE_FAILED', `embeddings of \`${new URL(address).host}\`: ${problem}`, {
    hint: 'search works without embeddings; see `embeddings` in the user configuration',
    cause,
  })
}
