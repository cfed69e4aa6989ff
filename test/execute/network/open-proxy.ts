// The network of a sandbox over real sockets: a server of the test stands in for the port that a sandbox
// opens.
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { SandboxNetwork } from '../../../src/execute/network/sandbox-network.ts'

/** On a port of its own, until the test ends. */
export async function listen<T extends Server>(server: T, host: string): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface Seen {
  readonly port: number
  readonly requests: {
    readonly line: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
}

/** An origin that records its requests. */
export async function openOrigin(host: string, answer = 'hello'): Promise<Seen> {
  const requests: Seen['requests'] = []
  const server: HttpServer = createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.9/' }).end()
    else if (request.url === '/hop')
      response
        .writeHead(200, { 'x-kept': 'yes', 'proxy-authenticate': 'no', connection: 'x-hop', 'x-hop': '1' })
        .end()
    else response.end(answer)
  })
  onTestFinished(() => server.closeAllConnections())
  return { port: await listen(server, host), requests }
}

/** The port of a proxy for these hosts; names mean what `names` says. */
export async function openProxy(hosts: readonly string[], names: Record<string, readonly string[]> = {}) {
  const asked: string[] = []
  const resolveHost = async (name: string) => {
    asked.push(name)
    const found = names[name]
    if (found === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
    return found
  }
  const network = new SandboxNetwork(hosts, { resolveHost })
  const server = createServer()
  const port = await listen(server, '127.0.0.1')
  network.receive(network.proxyPort, server)
  onTestFinished(() => network.close())
  return { port, asked, network }
}

/** What comes back for these bytes, until the other side ends. */
export function say(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', reject)
    socket.on('data', chunk => {
      heard += chunk
    })
    socket.on('close', () => resolve(heard))
    socket.on('end', () => socket.end())
    socket.write(text)
  })
}

export const get = (url: string, more = '') =>
  `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`
export const tunnel = (place: string, inner: string) =>
  `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n${inner}`
