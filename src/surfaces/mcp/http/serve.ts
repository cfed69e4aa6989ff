// Streamable HTTP. Stateless: each request carries its project and its token, so any process behind a
// balancer can answer it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, type McpRequestContext, type Server } from '@modelcontextprotocol/server'
import { AppError, cannotListen } from '../../../base/index.ts'
import type { AccessToken } from '../../../user/access/index.ts'
import type { CallLimits } from './call-limits.ts'
import type { Caller, Callers } from './callers.ts'
import { METHODS, refuse, serveExchange } from './exchange.ts'
import { bearerOf, refusalOf } from './guard.ts'
import { answerHealth, answerText, HEALTH_PATHS } from './health.ts'

/** What the factory knows about the request that it makes a server for. */
export interface RequestFacts {
  readonly token: AccessToken | undefined
  /** The `traceparent` header of the request. */
  readonly traceparent: string | undefined
}

export interface HttpSettings {
  readonly host: string
  readonly port: number
  /** Other names by which clients call this server, with port unless it is the scheme's default. */
  readonly names: readonly string[]
  readonly callers: Callers
  readonly limits: CallLimits
  readonly factory: (facts: RequestFacts) => Server
  /** Returns the text of `/metrics`. */
  readonly metrics: () => Promise<string>
  /** Called after each request has been answered. */
  readonly onRequest: (path: string, status: number) => void
  readonly onError: (error: unknown) => void
}

export interface HttpServer {
  /** The printed URL: `http://127.0.0.1:4477/mcp`. */
  readonly address: string
  /** The number of requests being answered. */
  readonly busy: () => number
  /**
   * Reports itself as not ready, so that balancers send nothing more, but goes on serving for `noticeMs`.
   * Then takes no more connections, and closes when all requests are answered or `limitMs` is over. Resolves
   * to the number of requests that were cut off.
   */
  drain(times: { readonly noticeMs: number; readonly limitMs: number }): Promise<number>
}

/** A client that sends more slowly than this only holds a connection, so its request is dropped. */
const SLOW_CLIENTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 }
/**
 * A request that arrives on a connection we are about to close is lost, and the client may not send it again.
 * Node's default of five seconds is shorter than an ordinary pause between two calls of an agent.
 */
const KEEP_ALIVE_MS = 65_000
const MOST_CONNECTIONS = 4096

export async function serveHttp(settings: HttpSettings): Promise<HttpServer> {
  const handler = createMcpHandler(context => settings.factory(factsOf(context)), {
    onerror: error => settings.onError(error.message),
  })
  const state = { draining: false, busy: 0 }
  const server = createServer({ ...SLOW_CLIENTS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    state.busy += 1
    const path = request.url?.split('?', 1)[0] ?? ''
    response.once('close', () => {
      state.busy -= 1
      settings.onRequest(path, response.statusCode)
      // A connection kept alive since before the end began would keep the process alive.
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    })
    // A client that keeps its connection would send the next request here.
    if (state.draining) response.setHeader('connection', 'close')
    answer(path, request, response).catch(thrown => {
      // A client that hung up before the end of its request gets no answer.
      if (request.errored) return
      settings.onError(thrown)
      if (!response.headersSent) refuse(response, 500, 'the request could not be served')
      else response.destroy()
    })
  })
  server.maxConnections = MOST_CONNECTIONS

  const answer = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (HEALTH_PATHS.includes(path)) return answerHealth(path, response, () => readiness(state, settings))
    const { port } = server.address() as AddressInfo
    const own = ['127.0.0.1', 'localhost', '[::1]', bracketed(settings.host)].map(name => `${name}:${port}`)
    const hosts = [...own, ...settings.names.map(name => name.toLowerCase())]
    const refusal = refusalOf({ hosts }, path, request.headers)
    if (refusal) return refuse(response, refusal.status, refusal.message)
    const caller = await admit(settings, request, response)
    if (!caller) return
    if (path === '/metrics') return answerMetrics(settings, caller, response)
    if (!METHODS.includes(request.method ?? '')) {
      return refuse(response, 405, `expected POST, got ${request.method}`)
    }
    await serveWithin(settings.limits, caller, response, () =>
      serveExchange(requestHandler(handler, caller, request), request, response, {
        refusesBatches: caller.token !== undefined,
      }),
    )
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', cause =>
      reject(
        cannotListen(
          `${settings.host}:${settings.port}`,
          cause,
          'choose another port with --port N, or --port 0 for a free one',
        ),
      ),
    )
    server.listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://${bracketed(settings.host)}:${port}/mcp`,
    busy: () => state.busy,
    async drain({ noticeMs, limitMs }) {
      state.draining = true
      await new Promise(resolve => setTimeout(resolve, noticeMs))
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      let cut = 0
      const deadline = setTimeout(() => {
        cut = state.busy
        server.closeAllConnections()
      }, limitMs)
      await closed
      clearTimeout(deadline)
      await handler.close()
      return cut
    },
  }
}

async function admit(
  { callers, onError }: HttpSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Caller | undefined> {
  try {
    const caller = await callers.find(bearerOf(request.headers.authorization))
    if (!caller) {
      const where = 'the token that the server printed at its start, or one that was granted'
      refuse(response, 401, `expected \`Authorization: Bearer\` with ${where}`)
    }
    return caller
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    onError(thrown.message)
    refuse(response, 503, 'the tokens of this server cannot be read: see its log')
    return undefined
  }
}

async function answerMetrics(
  settings: HttpSettings,
  { token }: Caller,
  response: ServerResponse,
): Promise<void> {
  if (token && !token.permissions.includes('metrics')) {
    return refuse(response, 403, 'expected a token that permits `metrics`')
  }
  if (response.req.method !== 'GET') return refuse(response, 405, 'expected GET')
  answerText(response, 200, await settings.metrics(), 'text/plain; version=0.0.4; charset=utf-8')
}

/** Serves within the limits of the token; the person who started the server has none. */
async function serveWithin(
  limits: CallLimits,
  { token }: Caller,
  response: ServerResponse,
  serve: () => Promise<void>,
): Promise<void> {
  if (!token) return serve()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const entered = await limits.enter(token.user, token, gone.signal)
  if ('reason' in entered) {
    const { reason, retryAfterSeconds } = entered
    response.setHeader('retry-after', String(retryAfterSeconds))
    const what = reason === 'rate' ? `${token.rate} calls a minute` : `${token.concurrency} calls at once`
    return refuse(
      response,
      429,
      `expected at most ${what} with this token: try again in ${retryAfterSeconds} s`,
    )
  }
  try {
    await serve()
  } finally {
    entered.leave()
  }
}

function requestHandler(
  handler: ReturnType<typeof createMcpHandler>,
  { token }: Caller,
  { headers }: IncomingMessage,
) {
  const traceparent = [headers.traceparent].flat()[0]
  // The SDK passes this to the factory unchanged. The token stays empty: nothing in the SDK needs it.
  const authInfo = { token: '', clientId: token?.user ?? '', scopes: [], extra: { token, traceparent } }
  return { fetch: (request: Request) => handler.fetch(request, { authInfo }) }
}

function factsOf({ authInfo }: McpRequestContext): RequestFacts {
  // Set by `requestHandler` for every request.
  return authInfo!.extra as unknown as RequestFacts
}

/** Why no more requests should come here; undefined when they may. */
async function readiness(
  state: { readonly draining: boolean },
  { callers }: HttpSettings,
): Promise<string | undefined> {
  if (state.draining) return 'draining'
  try {
    await callers.find('')
    return undefined
  } catch {
    return 'tokens'
  }
}

/** A host as written in a URL, with an IPv6 address in brackets. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase()
}
