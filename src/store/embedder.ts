// Embeddings over HTTP, as OpenAI, Ollama and vLLM offer them: POST /v1/embeddings. Answers come from outside and are checked.
import { AppError, isRecord } from '../base/index.ts'
import { unitVector } from '../search/index.ts'

export interface Embedder {
  readonly model: string
  /** One unit vector for each text, or `REMOTE_FAILED`. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

export interface EmbedderOptions {
  /** The base address, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: string
  /** How long one request may take. */
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

export function createEmbedder(options: EmbedderOptions): Embedder {
  return { model: options.model, embed: texts => requestVectors(options, texts) }
}

async function requestVectors(options: EmbedderOptions, texts: readonly string[]): Promise<Float32Array[]> {
  if (texts.length === 0) return []
  const address = `${options.url.replace(/\/+$/, '')}/embeddings`
  const response = await send(options, address, texts)
  if (!response.ok) throw failure(address, `expected status 200, got ${response.status}`)
  const body = await response.json().catch(() => undefined)
  const rows = isRecord(body) && Array.isArray(body.data) ? body.data : []
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

async function send(options: EmbedderOptions, address: string, texts: readonly string[]): Promise<Response> {
  try {
    return await options.fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.key && { authorization: `Bearer ${options.key}` }),
      },
      body: JSON.stringify({ model: options.model, input: texts }),
      signal: AbortSignal.timeout(options.timeoutMs),
      // A key is for the address that the user named, not for where that leads.
      redirect: 'error',
    })
  } catch (cause) {
    const slow = cause instanceof Error && cause.name === 'TimeoutError'
    throw failure(address, slow ? `no answer within ${options.timeoutMs} ms` : 'it cannot be reached', cause)
  }
}

function failure(address: string, problem: string, cause?: unknown): AppError {
  return new AppError('REMOTE_FAILED', `embeddings of \`${new URL(address).host}\`: ${problem}`, {
    hint: 'search works without embeddings; see `embeddings` in the user configuration',
    cause,
  })
}
