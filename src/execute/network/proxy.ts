// The HTTP proxy through which a sandboxed tool reaches the hosts that it names, and nothing else. It answers
// `CONNECT`, and plain requests with an absolute address. Requests are parsed and written anew, so that what
// was checked is what is sent.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from './destination.ts'
import { IDLE_MS, joinSockets } from './join-sockets.ts'

/** Throws a `Refusal` unless the destination is permitted and answers. */
export type Dial = (host: string, port: number) => Promise<Socket>

const HEADER_BYTES = 32_768
/** Headers that concern one connection only: RFC 9110, 7.6.1. */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s:@/]+):(\d{1,5})$/i

/** Returns a function that serves one connection of a tool. */
export function createProxy(dial: Dial): (socket: Socket) => void {
  const busy = new WeakSet<Socket>()
  /**
   * One request at a time: a connection that sends the next request before the answer could open any number
   * of other connections.
   */
  const take = (socket: Socket): boolean => {
    if (busy.has(socket)) socket.destroy()
    else busy.add(socket)
    return !socket.destroyed
  }
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    requireHostHeader: false,
    keepAliveTimeout: IDLE_MS,
  })
  server.timeout = IDLE_MS
  server.on('connect', (request, socket, head) => {
    // Always the `Socket` that was emitted below.
    if (take(socket as Socket)) void openTunnel(request, socket as Socket, head, dial)
  })
  server.on('request', (request, response) => {
    const { socket } = request
    if (!take(socket)) return
    response.once('close', () => busy.delete(socket))
    void forward(request, response, dial)
  })
  return socket => server.emit('connection', socket)
}

async function openTunnel(request: IncomingMessage, socket: Socket, head: Buffer, dial: Dial): Promise<void> {
  socket.on('error', () => {})
  try {
    const [, host, port] = AUTHORITY.exec(request.url ?? '') ?? []
    if (host === undefined) throw new Refusal(400, 'expected `CONNECT host:port`')
    const remote = await dial(host, Number(port))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) remote.write(head)
    joinSockets(socket, remote)
  } catch (thrown) {
    const { status, message } = readRefusal(thrown)
    const lines = [
      `HTTP/1.1 ${status} ${reasonOf(message)}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
    ]
    const body = `${message}\n`
    socket.end(`${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
}

async function forward(request: IncomingMessage, response: ServerResponse, dial: Dial): Promise<void> {
  response.on('error', () => {})
  request.on('error', () => {})
  try {
    const url = readTarget(request)
    const remote = await dial(url.hostname, Number(url.port || 80))
    if (response.destroyed) {
      remote.destroy()
      return
    }
    const sent = sendRequest({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(request.headersDistinct), host: url.host, ...framing(request.headers) },
      createConnection: () => remote,
      maxHeaderSize: HEADER_BYTES,
    })
    sent.once('response', answer => {
      try {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.headersDistinct))
      } catch (thrown) {
        // Node's parser accepts answers that its writer rejects: a status of 099, a header with DEL.
        remote.destroy()
        refuse(response, thrown)
        return
      }
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    const fail = () => refuse(response, new Refusal(502, `\`${url.host}\` did not answer`))
    sent.on('error', fail)
    // It may also close without an error: after an answer that was not asked for, such as 101.
    sent.on('close', () => {
      if (!response.headersSent) fail()
    })
    response.on('close', () => remote.destroy())
    request.pipe(sent)
  } catch (thrown) {
    refuse(response, thrown)
  }
}

/** Where a plain request goes. Only its first line decides, and it must be unambiguous. */
function readTarget(request: IncomingMessage): URL {
  const target = request.url ?? ''
  if (!/^http:\/\//i.test(target) || !URL.canParse(target)) {
    throw new Refusal(400, 'expected an absolute `http://` address, or CONNECT for `https://`')
  }
  const url = new URL(target)
  if (url.username !== '' || url.password !== '') throw new Refusal(400, 'an address must not contain a user')
  if ((request.headersDistinct.host?.length ?? 0) > 1) throw new Refusal(400, 'expected one Host header')
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new Refusal(400, 'expected the transfer encoding `chunked`, or none')
  }
  return url
}

/** Drops headers that concern one connection, and those that its `Connection` header lists. */
function endToEnd(headers: NodeJS.Dict<string[]>): Record<string, string[]> {
  const listed = (headers.connection ?? []).flatMap(value => value.toLowerCase().split(/[\s,]+/))
  const dropped = new Set([...HOP_BY_HOP, ...listed])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, values]) =>
      values === undefined || dropped.has(name) ? [] : [[name, values] as const],
    ),
  )
}

/**
 * The headers that delimit the body. They are sent explicitly, because Node would send the body of a GET
 * without an end, even if the length was dropped because a `Connection` header listed it.
 */
function framing(headers: IncomingHttpHeaders): Record<string, string> {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' }
  const length = headers['content-length']
  return length === undefined ? {} : { 'content-length': length }
}

function refuse(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, message } = readRefusal(thrown)
  response.writeHead(status, reasonOf(message), {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
  })
  response.end(`${message}\n`)
}

/** A tool and the host that it talks to may send anything, and none of it may break the server. */
function readRefusal(thrown: unknown): Refusal {
  return thrown instanceof Refusal ? thrown : new Refusal(502, 'the message could not be passed on')
}

/** Many clients show only this line of a refusal. */
function reasonOf(message: string): string {
  return message.replaceAll(/[^ -~]/g, '?').slice(0, 300)
}
