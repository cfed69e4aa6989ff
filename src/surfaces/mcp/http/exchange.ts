// One HTTP exchange: Node's request becomes the web-standard one that the SDK serves, and the response goes
// back. The SDK's own adapter only notices that a client has hung up at its next keep-alive; here the call is
// cancelled at once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface WebHandler {
  fetch(request: Request): Promise<Response>
}

/**
 * The methods that MCP clients send; the SDK answers that only POST is served here. Others never reach it: a
 * web-standard request cannot be a `TRACE`, for example.
 */
export const METHODS: readonly string[] = ['POST', 'GET', 'DELETE']

/** How long the rest of a refused body may still arrive. */
const LINGER_MS = 1000
const BODY_BYTES = 4 * 1024 * 1024
/**
 * How long the head of an answer waits for the body. Until something has been sent, a balancer can ask
 * another server if this one dies. But after too long a silence a client, or a proxy between, may assume that
 * the server hangs.
 */
const HEAD_MS = 15_000
/** How long a message waits for the end of the answer. */
const MESSAGE_MS = 10

export interface ExchangeOptions {
  /**
   * Allows one message per request, as in revisions since 2025-06-18: with a batch, a user whose calls are
   * limited could make a hundred at once.
   */
  readonly refusesBatches: boolean
}

export async function serveExchange(
  handler: WebHandler,
  request: IncomingMessage,
  response: ServerResponse,
  { refusesBatches }: ExchangeOptions,
): Promise<void> {
  const body = await readBody(request)
  if (body === 'too-large') {
    refuse(response, 413, `expected a body of at most ${BODY_BYTES} bytes`)
    return
  }
  if (refusesBatches && isList(body)) {
    refuse(response, 400, 'expected one message, got a list of them: send each by itself')
    return
  }
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  await sendBack(await handler.fetch(toWebRequest(request, body, gone.signal)), response)
}

/**
 * Answers a request that is not served, and closes its connection: keeping it open costs us, and a refused
 * client has no claim to it. The rest of the body is read and discarded for a moment, because a client that
 * is still sending when the connection closes loses the answer.
 */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'POST' }),
  })
  response.write(body)
  const deadline = setTimeout(() => response.end(), LINGER_MS)
  response.once('close', () => clearTimeout(deadline))
  response.req.once('end', () => response.end()).resume()
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too-large'> {
  if (Number(request.headers['content-length']) > BODY_BYTES) return 'too-large'
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= BODY_BYTES) chunks.push(chunk)
      else resolve('too-large')
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
  })
}

/** Looks only at the first character; the SDK reports a body that is not JSON. */
function isList(body: Buffer): boolean {
  return new TextDecoder().decode(body).trimStart().startsWith('[')
}

function toWebRequest(request: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each)
  }
  const method = request.method ?? 'GET'
  return new Request(`http://${request.headers.host}${request.url}`, {
    method,
    headers,
    signal,
    ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  })
}

async function sendBack(answer: Response, response: ServerResponse): Promise<void> {
  // Node decides whether the connection stays open: the client may have asked to close it.
  const { connection: _, ...headers } = Object.fromEntries(answer.headers)
  response.writeHead(answer.status, headers)
  if (!answer.body) {
    response.end()
    return
  }
  const held = holdBack(response)
  try {
    // A web stream has two types, the platform's and Node's.
    const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(body, held.pass, response)
  } catch (thrown) {
    // The client has hung up; destroying the stream has cancelled the call.
    if (!response.destroyed) throw thrown
  } finally {
    held.end()
  }
}

/**
 * Holds the answer back until there is something to send, and a moment longer: an answer of one message is
 * then sent in one piece, or not at all.
 */
function holdBack(response: ServerResponse) {
  let isHeld = true
  const release = () => {
    if (!isHeld) return
    isHeld = false
    response.uncork()
    response.flushHeaders()
  }
  response.cork()
  let timer = setTimeout(release, HEAD_MS)
  return {
    async *pass(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        clearTimeout(timer)
        timer = setTimeout(release, MESSAGE_MS)
        yield chunk
      }
    },
    end: () => clearTimeout(timer),
  }
}
