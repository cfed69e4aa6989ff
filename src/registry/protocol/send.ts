// One request to a registry. Redirects of a GET are followed, and each address is checked again: credentials
// and private addresses are only allowed below the registry's own address, so neither a redirect nor a
// packument can send them elsewhere.
import { type IncomingMessage, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, quoteText, VERSION } from '../../base/index.ts'
import { isBelow, parseAddress } from '../settings/address.ts'
import type { Registry } from '../settings/choose-registry.ts'
import { type Dial, PRIVATE_HINT, unreachable } from './dial.ts'

export interface Sent {
  readonly method?: 'GET' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly accept?: string
  readonly body?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** A longer answer is refused. */
  readonly mostBytes: number
  /** Called with the share (0 to 1) received so far, if the length is announced. */
  readonly onShare?: (share: number) => void
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The final address, after redirects. */
  readonly url: URL
}

export type Send = (sent: Sent) => Promise<Answer>

const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

export function createSend(registry: Registry, dial: Dial, signal: AbortSignal): Send {
  return async sent => {
    let { url } = sent
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await exchange(registry, { ...sent, url }, { dial, signal })
      const { location } = response.headers
      const status = response.statusCode ?? 0
      if (!REDIRECTS.includes(status) || location === undefined)
        return { status, headers: response.headers, body: await readBody(response, sent, signal), url }
      response.destroy()
      if ((sent.method ?? 'GET') !== 'GET') {
        const message = `${url.hostname} redirects to ${quoteText(location, 200)}: configure that if you trust it`
        throw new AppError('NETWORK_REFUSED', message)
      }
      url = parseAddress(location, url)
    }
    const message = `more than ${MOST_REDIRECTS} redirects, the last to ${quoteText(url.href, 200)}`
    throw new AppError('REMOTE_FAILED', message)
  }
}

async function exchange(
  registry: Registry,
  { url, method = 'GET', accept = '*/*', body, headers }: Sent,
  { dial, signal }: { readonly dial: Dial; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { credentials } = registry
  const hasCredentials = credentials !== undefined && isBelow(url, credentials.below)
  const allowPrivate = registry.allowPrivate && (hasCredentials || isBelow(url, registry.url))
  if (url.protocol !== 'https:' && !allowPrivate) {
    const message = `expected a URL that begins with https://, got ${quoteText(url.href, 200)}`
    throw new AppError('NETWORK_REFUSED', message, { hint: PRIVATE_HINT })
  }
  let socket: Socket | undefined
  try {
    signal.throwIfAborted()
    socket = await dial({ url, allowPrivate, signal })
    return await ask(socket, {
      method,
      path: url.pathname + url.search,
      body,
      signal,
      headers: {
        host: url.host,
        accept,
        'accept-encoding': 'identity',
        'user-agent': `rye/${VERSION}`,
        ...headers,
        ...(hasCredentials && { authorization: credentials.authorization }),
        ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
      },
    })
  } catch (thrown) {
    socket?.destroy()
    if (signal.aborted) throw signal.reason
    throw unreachable(url, thrown)
  }
}

interface Question {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array | undefined
  readonly signal: AbortSignal
}

function ask(socket: Socket, { body, ...question }: Question): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ ...question, createConnection: () => socket, maxHeaderSize: 65_536 })
    sent.once('response', resolve)
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Reads the whole body. Fails when it is shorter than announced. */
async function readBody(
  response: IncomingMessage,
  { mostBytes, onShare }: Sent,
  signal: AbortSignal,
): Promise<Buffer> {
  const announced = Number(response.headers['content-length'] ?? 0)
  const chunks: Buffer[] = []
  let received = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > mostBytes)
        throw new AppError('OUTPUT_TOO_LARGE', `the answer exceeds ${mostBytes} bytes`)
      chunks.push(chunk)
      if (announced > 0) onShare?.(Math.min(1, received / announced))
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (thrown instanceof AppError) throw thrown
    const fact = announced > 0 ? `: expected ${announced} bytes, got ${received}` : ''
    throw new AppError('REMOTE_FAILED', `the answer ended early${fact}`, { cause: thrown })
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks)
}
