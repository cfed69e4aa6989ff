// Streamable HTTP on loopback. Stateless: each request carries its project, so several processes can run side by side.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, type Server } from '@modelcontextprotocol/server'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { METHODS, refuse, serveExchange } from './http-exchange.ts'
import { refusalOf } from './http-guard.ts'

export interface HttpSettings {
  readonly host: string
  readonly port: number
  readonly token: string
  readonly factory: () => Server
  readonly onError: (error: unknown) => void
}

export interface HttpServer {
  /** `http://127.0.0.1:4477/mcp`. */
  readonly address: string
  /** Finishes what is under way, for a moment, then closes. */
  close(): Promise<void>
}

const CLOSING_MS = 2000
/** A client that sends slower than this holds a connection, no more: the request is dropped. */
const SLOW_CLIENTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 }
/**
 * A request that arrives on a connection which we are about to close is lost, and the client may not send it again. Node's
 * default of five seconds is shorter than an ordinary pause between two calls of an agent.
 */
const KEEP_ALIVE_MS = 65_000

export async function serveHttp(settings: HttpSettings): Promise<HttpServer> {
  const handler = createMcpHandler(settings.factory, {
    onerror: error => settings.onError(error.message),
  })
  const server = createServer({ ...SLOW_CLIENTS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const { port } = server.address() as AddressInfo
    const hosts = ['127.0.0.1', 'localhost', '[::1]', bracketed(settings.host)].map(name => `${name}:${port}`)
    const path = request.url?.split('?', 1)[0] ?? ''
    const refusal = refusalOf({ token: settings.token, hosts }, path, request.headers)
    if (refusal) {
      refuse(response, refusal.status, refusal.message)
      return
    }
    if (!METHODS.includes(request.method ?? '')) {
      refuse(response, 405, `expected POST, got ${request.method}`)
      return
    }
    serveExchange(handler, request, response).catch(thrown => {
      // A client that hung up before the end of its request gets no answer.
      if (request.errored) return
      settings.onError(thrown)
      if (!response.headersSent) refuse(response, 500, 'the request could not be served')
      else response.destroy()
    })
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(settings, cause)))
    server.listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://${bracketed(settings.host)}:${port}/mcp`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      const deadline = setTimeout(() => server.closeAllConnections(), CLOSING_MS)
      await closed
      clearTimeout(deadline)
      await handler.close()
    },
  }
}

/** An IPv6 address as it stands in a URL. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase()
}

function cannotListen(settings: HttpSettings, cause: Error): AppError {
  const busy = systemErrorCode(cause) === 'EADDRINUSE'
  return new AppError(
    'NOT_AVAILABLE',
    `cannot listen on ${settings.host}:${settings.port}: ${cause.message}`,
    {
      cause,
      ...(busy && { hint: 'choose another port with --port N, or --port 0 for a free one' }),
    },
  )
}
